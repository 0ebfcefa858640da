import { pauseAfter } from './retry-pauses.ts'

export interface StatusBatchOptions<Row> {
  /** Stores the rows; called again with them, or with newer ones of the same boards, until it succeeds. */
  store(rows: Row[]): Promise<void>
  onFailure(error: unknown): void
  /** Stored when the oldest has waited this long. */
  flushMs: number
  /** Stored as soon as there are so many; also the most that are stored at once. */
  flushRows: number
}

interface Waiting<Row> {
  row: Row
  acknowledges: (() => void)[]
  stored: PromiseWithResolvers<void>
}

/**
 * Gathers heartbeats. Of each board only the newest is stored, so that a database that is away costs one row for each
 * board; a heartbeat is acknowledged when it, or a newer one in its place, is stored.
 */
export class StatusBatch<Row extends { sid: string }> {
  readonly #options: StatusBatchOptions<Row>
  readonly #waiting = new Map<string, Waiting<Row>>()
  #storing = new Map<string, Waiting<Row>>()
  #timer: NodeJS.Timeout | undefined
  #failures = 0

  constructor(options: StatusBatchOptions<Row>) {
    this.#options = options
  }

  add(row: Row, acknowledge: () => void): void {
    const earlier = this.#waiting.get(row.sid)
    if (earlier) {
      earlier.row = row
      earlier.acknowledges.push(acknowledge)
      return
    }
    this.#waiting.set(row.sid, { row, acknowledges: [acknowledge], stored: Promise.withResolvers() })
    if (this.#waiting.size >= this.#options.flushRows) this.#hurry()
    else this.#timer ??= setTimeout(() => this.#flush(), this.#options.flushMs)
  }

  /** Resolves when no heartbeat of this board waits to be stored; it is stored at once for that. */
  async settled(sid: string): Promise<void> {
    const waiting = this.#waiting.get(sid)
    if (waiting) this.#hurry()
    await (waiting ?? this.#storing.get(sid))?.stored.promise
  }

  async drain(): Promise<void> {
    this.#hurry()
    await Promise.all(
      [...this.#storing.values(), ...this.#waiting.values()].map(({ stored }) => stored.promise),
    )
  }

  #hurry(): void {
    if (this.#storing.size > 0 || this.#failures > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#flush(), 0)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#storing.size > 0 || this.#waiting.size === 0) return
    this.#storing = new Map(this.#waiting.entries().take(this.#options.flushRows))
    for (const sid of this.#storing.keys()) this.#waiting.delete(sid)
    const rows = [...this.#storing.values()].map(({ row }) => row)
    void this.#store(rows)
  }

  async #store(rows: Row[]): Promise<void> {
    try {
      await this.#options.store(rows)
      const stored = [...this.#storing.values()]
      this.#storing = new Map()
      this.#failures = 0
      for (const { acknowledges, stored: promise } of stored) {
        for (const acknowledge of acknowledges) acknowledge()
        promise.resolve()
      }
      if (this.#waiting.size > 0) this.#flushNext(0)
    } catch (error) {
      this.#failures++
      this.#options.onFailure(error)
      this.#takeBack()
      this.#flushNext(pauseAfter(this.#failures))
    }
  }

  /** What was not stored waits again, unless something newer of that board came meanwhile. */
  #takeBack(): void {
    for (const [sid, unstored] of this.#storing) {
      const newer = this.#waiting.get(sid)
      if (newer) {
        newer.acknowledges.push(...unstored.acknowledges)
        void newer.stored.promise.then(() => unstored.stored.resolve())
      } else {
        this.#waiting.set(sid, unstored)
      }
    }
    this.#storing = new Map()
  }

  #flushNext(afterMs: number): void {
    clearTimeout(this.#timer)
    const delayMs = this.#waiting.size >= this.#options.flushRows ? 0 : this.#options.flushMs
    this.#timer = setTimeout(() => this.#flush(), afterMs || delayMs)
  }
}
