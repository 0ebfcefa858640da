import type { BoardState, Command, EndReason } from './wire.ts'

interface Run {
  commandId: string
  durationSeconds: number
  startedAtMs: number
  timer: NodeJS.Timeout
}

export type StartCommand = Extract<Command, { kind: 'start' }>

/** The chair's motor and what starts it, with a clock that may run faster than ours. */
export class Massage {
  readonly #timeFactor: number
  readonly #onEnded: (ended: { commandId: string; deliveredSeconds: number }, reason: EndReason) => void
  #run: Run | undefined
  /** Pulses given to the chair since it was made (control mode 2). */
  pulses = 0
  /** Its light is on. */
  isLit = false
  /** What was last passed through to the chair (control mode 3). */
  passedThrough = ''
  ended: BoardState['ended'] = null
  /** Ids of the commands that started it, in order. */
  readonly startedBy: string[] = []

  constructor(
    timeFactor: number,
    onEnded: (ended: { commandId: string; deliveredSeconds: number }, reason: EndReason) => void,
  ) {
    this.#timeFactor = timeFactor
    this.#onEnded = onEnded
  }

  get running(): BoardState['running'] {
    if (!this.#run) return null
    const { commandId, durationSeconds } = this.#run
    return { commandId, remainingSeconds: Math.max(0, durationSeconds - this.#delivered(this.#run)) }
  }

  /** @returns why it does not start, empty when it runs */
  start({ id, durationSeconds, control, lightTherapy }: StartCommand): string {
    if (this.#run) return 'busy'
    if (!(durationSeconds > 0)) return 'badCommand'
    switch (control.mode) {
      case 1:
        break
      case 2:
        if (control.dutyCycleMs >= control.cycleMs) return 'badCommand'
        this.pulses += control.count
        break
      case 3:
        this.passedThrough = control.payload
        break
      default:
        return 'unsupported'
    }
    const timer = setTimeout(() => this.end('time'), (durationSeconds * 1000) / this.#timeFactor)
    this.startedBy.push(id)
    this.isLit = lightTherapy === true
    this.#run = { commandId: id, durationSeconds, startedAtMs: performance.now(), timer }
    this.ended = null
    return ''
  }

  /** Ends what runs, if anything does. */
  end(reason: EndReason): void {
    if (!this.#run) return
    const { commandId, durationSeconds, timer } = this.#run
    const deliveredSeconds = reason === 'time' ? durationSeconds : this.#delivered(this.#run)
    clearTimeout(timer)
    this.#run = undefined
    this.isLit = false
    this.ended = { commandId, deliveredSeconds }
    this.#onEnded(this.ended, reason)
  }

  /** Without a word, for taking the chair away. */
  dismantle(): void {
    clearTimeout(this.#run?.timer)
    this.#run = undefined
  }

  #delivered({ startedAtMs, durationSeconds }: Run): number {
    const seconds = ((performance.now() - startedAtMs) / 1000) * this.#timeFactor
    return Math.min(durationSeconds, Math.floor(seconds))
  }
}
