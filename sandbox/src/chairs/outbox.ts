const mostUnsent = 32

interface Unsent {
  channel: 'ack' | 'event'
  report: object
  happenedAtMs: number
}

/** Acknowledgements and events that the broker has not confirmed; a board keeps only the latest. */
export class Outbox {
  readonly #unsent = new Map<number, Unsent>()
  #lastNumber = 0

  /** @returns the number of the report */
  add(channel: Unsent['channel'], report: object): number {
    const number = ++this.#lastNumber
    this.#unsent.set(number, { channel, report, happenedAtMs: performance.now() })
    const [oldest] = this.#unsent.keys()
    if (this.#unsent.size > mostUnsent && oldest !== undefined) this.#unsent.delete(oldest)
    return number
  }

  numbers(): Iterable<number> {
    return this.#unsent.keys()
  }

  /** A report as it is sent now: events say how long ago they happened. */
  messageOf(number: number): { channel: Unsent['channel']; payload: string } | undefined {
    const unsent = this.#unsent.get(number)
    if (!unsent) return undefined
    const { channel, report, happenedAtMs } = unsent
    const ageSeconds = Math.floor((performance.now() - happenedAtMs) / 1000)
    const age = channel === 'event' ? { ageSeconds } : {}
    return { channel, payload: JSON.stringify({ v: 1, ...report, ...age }) }
  }

  confirmed(number: number): void {
    this.#unsent.delete(number)
  }
}
