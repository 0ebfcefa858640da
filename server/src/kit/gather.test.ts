import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createGatherer } from './gather.ts'

const longestWaitMs = 2

/** A gatherer whose batches end when the test says so; an item of `bad` spoils its batch. */
function gatherUntilTold(options: { mostItems: number; mostUnderWay?: number }) {
  const batches: { items: string[]; end(): void }[] = []
  const gatherer = createGatherer<string, string>({
    ...options,
    longestWaitMs,
    async run(items) {
      const { promise, resolve } = Promise.withResolvers<void>()
      batches.push({ items, end: resolve })
      await promise
      if (items.includes('bad')) throw new Error('a bad item')
      return items.map((item) => `${item} done`)
    },
  })
  const begun = async (count: number) => {
    await expect.poll(() => batches.length, { interval: 1 }).toBe(count)
    return batches[count - 1]
  }
  return { gatherer, batches, begun }
}

describe('work that is gathered', () => {
  it('goes together after a moment, and each gets its own result', async () => {
    const { gatherer, begun } = gatherUntilTold({ mostItems: 10 })
    const results = Promise.all(['a', 'b', 'c'].map((item) => gatherer.add(item)))
    const batch = await begun(1)
    expect(batch?.items).toEqual(['a', 'b', 'c'])
    batch?.end()
    expect(await results).toEqual(['a done', 'b done', 'c done'])
  })

  it('goes at once when there is enough of it', async () => {
    const { gatherer, batches } = gatherUntilTold({ mostItems: 2 })
    for (const item of ['a', 'b', 'c']) void gatherer.add(item)
    expect(batches.map(({ items }) => items)).toEqual([['a', 'b']])
  })

  it('waits for a batch to end when as many are under way as may be, and then goes together', async () => {
    const { gatherer, batches, begun } = gatherUntilTold({ mostItems: 3, mostUnderWay: 1 })
    for (const item of ['a', 'b', 'c', 'd']) void gatherer.add(item)
    await begun(1)
    void gatherer.add('e')
    await turn()
    expect(batches.map(({ items }) => items)).toEqual([['a', 'b', 'c']])
    // Longer than it waits for company.
    await new Promise((resolve) => setTimeout(resolve, longestWaitMs * 5))
    void gatherer.add('f')
    expect(batches).toHaveLength(1)
    batches[0]?.end()
    expect((await begun(2))?.items).toEqual(['d', 'e', 'f'])
  })

  it('is done one by one when one of it spoils the batch', async () => {
    const { gatherer, begun } = gatherUntilTold({ mostItems: 3, mostUnderWay: 1 })
    const results = Promise.allSettled(['a', 'bad', 'b'].map((item) => gatherer.add(item)))
    for (let count = 1; count <= 4; count++) (await begun(count))?.end()
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})
