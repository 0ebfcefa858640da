import { setTimeout as sleep } from 'node:timers/promises'

import { pauseAfter } from './retry-pauses.ts'

export interface DeviceQueueOptions {
  /** Tasks that run at the same time, over all devices; without those that are gathered. */
  concurrency: number
  /** A task that keeps failing is given up after this time, so that a device is not stuck for ever. */
  giveUpMs: number
  onFailure(error: unknown, sid: string, isGivenUp: boolean): void
}

interface QueuedTask {
  run(): Promise<void>
  /** It is done together with others of its kind, and takes no place of those that are done one by one. */
  isGathered: boolean
}

/** Does the tasks of one device one after the other, those of different devices side by side, each until it succeeds. */
export class DeviceQueue {
  readonly #options: DeviceQueueOptions
  readonly #tasks = new Map<string, QueuedTask[]>()
  readonly #waitingForSlot: (() => void)[] = []
  #idle = Promise.withResolvers<void>()
  #running = 0

  constructor(options: DeviceQueueOptions) {
    this.#options = options
    this.#idle.resolve()
  }

  hasTasks(sid: string): boolean {
    return this.#tasks.has(sid)
  }

  add(sid: string, run: () => Promise<void>, isGathered = false): void {
    const task = { run, isGathered }
    const tasks = this.#tasks.get(sid)
    if (tasks) {
      tasks.push(task)
      return
    }
    if (this.#tasks.size === 0) this.#idle = Promise.withResolvers()
    const started = [task]
    this.#tasks.set(sid, started)
    void this.#work(sid, started)
  }

  /** Resolves when nothing is left to do. */
  async drain(): Promise<void> {
    await this.#idle.promise
  }

  async #work(sid: string, tasks: QueuedTask[]): Promise<void> {
    for (let task = tasks[0]; task; task = tasks[0]) {
      await this.#do(sid, task)
      tasks.shift()
    }
    this.#tasks.delete(sid)
    if (this.#tasks.size === 0) this.#idle.resolve()
  }

  async #do(sid: string, task: QueuedTask): Promise<void> {
    const startedAtMs = performance.now()
    for (let failures = 1; ; failures++) {
      if (!task.isGathered) await this.#takeSlot()
      try {
        await task.run()
        return
      } catch (error) {
        const isGivenUp = performance.now() - startedAtMs > this.#options.giveUpMs
        this.#options.onFailure(error, sid, isGivenUp)
        if (isGivenUp) return
      } finally {
        if (!task.isGathered) this.#leaveSlot()
      }
      await sleep(pauseAfter(failures))
    }
  }

  async #takeSlot(): Promise<void> {
    if (this.#running < this.#options.concurrency) {
      this.#running++
      return
    }
    // whoever leaves hands its slot over
    await new Promise<void>((resolve) => {
      this.#waitingForSlot.push(resolve)
    })
  }

  #leaveSlot(): void {
    const next = this.#waitingForSlot.shift()
    if (next) next()
    else this.#running--
  }
}
