/** There are too many waiting already. */
export class TooManyWaitingError extends Error {
  override name = 'TooManyWaitingError'
}

/**
 * Runs work a few at a time, in the order in which it came.
 * @throws TooManyWaitingError when `mostWaiting` wait already
 */
export function fewAtOnce(most: number, mostWaiting: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= most) {
      if (waiting.length >= mostWaiting) throw new TooManyWaitingError()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The place is handed to the next one without being free in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
