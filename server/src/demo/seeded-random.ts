/** Random choices that are the same for the same seed, so that a generated network can be made again. */
export interface SeededRandom {
  /** From 0 up to, but not, 1. */
  next(): number
  /** A whole number, both ends included. */
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** An index, as likely as its weight. */
  weighted(cumulative: readonly number[]): number
}

/** Mulberry32: 32 bits of state are plenty for made-up data. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    weighted: (cumulative) => {
      const wanted = next() * (cumulative.at(-1) ?? 0)
      let low = 0
      let high = cumulative.length - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if ((cumulative[middle] ?? 0) > wanted) high = middle
        else low = middle + 1
      }
      return low
    },
  }
}

/** Running sums of weights, for `weighted`. */
export function cumulate(weights: readonly number[]): number[] {
  let sum = 0
  return weights.map((weight) => (sum += weight))
}
