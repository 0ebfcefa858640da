/** Collects single pieces of work into batches: waits a moment for company, never longer. */
export interface Gatherer<Item, Result> {
  /** Resolves when the batch the item was in is done. */
  add(item: Item): Promise<Result>
}

/**
 * @param run does a batch and answers a result for each item in order; when it throws, each item of the batch is done
 *   alone, so that one bad item spoils no other
 */
export function createGatherer<Item, Result>(options: {
  mostItems: number
  longestWaitMs: number
  run(items: Item[]): Promise<Result[]>
}): Gatherer<Item, Result> {
  interface Waiting {
    item: Item
    resolve(result: Result): void
    reject(error: unknown): void
  }
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined

  const runOne = async ({ item, resolve, reject }: Waiting) => {
    try {
      const [result] = await options.run([item])
      resolve(result as Result)
    } catch (error) {
      reject(error)
    }
  }
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    if (batch.length === 1) return Promise.all(batch.map(runOne))
    try {
      const results = await options.run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result))
    } catch {
      for (const one of batch) await runOne(one)
    }
    return undefined
  }
  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (waiting.length >= options.mostItems) void flush()
        else timer ??= setTimeout(() => void flush(), options.longestWaitMs)
      }),
  }
}
