/** Collects single pieces of work into batches: waits a moment for company, never longer. */
export interface Gatherer<Item, Result> {
  /** Resolves when the batch the item was in is done. */
  add(item: Item): Promise<Result>
}

/**
 * @param options.mostUnderWay batches done at the same time; what comes meanwhile waits for one of them to end and goes
 *   together, so that the more there is to do, the larger batches are. Without it there is no limit.
 * @param options.run does a batch and answers a result for each item in order; when it throws, each item of the batch
 *   is done alone, so that one bad item spoils no other
 */
export function createGatherer<Item, Result>(options: {
  mostItems: number
  longestWaitMs: number
  mostUnderWay?: number
  run(items: Item[]): Promise<Result[]>
}): Gatherer<Item, Result> {
  interface Waiting {
    item: Item
    resolve(result: Result): void
    reject(error: unknown): void
  }
  const { mostItems, longestWaitMs, mostUnderWay = Infinity, run } = options
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let underWay = 0
  /** Whether what waits has waited long enough for company. */
  let isDue = false

  const runOne = async ({ item, resolve, reject }: Waiting) => {
    try {
      const [result] = await run([item])
      resolve(result as Result)
    } catch (error) {
      reject(error)
    }
  }
  const runBatch = async (batch: readonly Waiting[]) => {
    if (batch.length > 1) {
      try {
        const results = await run(batch.map(({ item }) => item))
        return batch.forEach(({ resolve }, index) => resolve(results[index] as Result))
      } catch {
        // Each is done alone.
      }
    }
    for (const one of batch) await runOne(one)
  }
  const mayGo = () =>
    underWay < mostUnderWay && (waiting.length >= mostItems || (isDue && waiting.length > 0))
  const flush = () => {
    while (mayGo()) {
      const batch = waiting.slice(0, mostItems)
      waiting = waiting.slice(mostItems)
      underWay++
      void runBatch(batch).finally(() => {
        underWay--
        flush()
      })
    }
    if (waiting.length > 0) return
    clearTimeout(timer)
    timer = undefined
    isDue = false
  }
  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        timer ??= setTimeout(() => {
          isDue = true
          flush()
        }, longestWaitMs)
        if (waiting.length >= mostItems) flush()
      }),
  }
}
