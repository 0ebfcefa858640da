/** Times of one contender in milliseconds, ascending. */
export interface Timing {
  p50Ms: number
  p95Ms: number
  calls: number
}

export interface Contender {
  name: string
  /** Calls in each round: slow ones are called less often. */
  callsPerRound: number
  call(): Promise<unknown>
}

const rounded = (value: number) => Math.round(value * 1000) / 1000

/** The value that this share of ascending values does not exceed. */
function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
}

/** The middle one of a few rates, in whole numbers. */
export const medianOf = (values: readonly number[]): number =>
  Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0)

export function timingOf(milliseconds: readonly number[]): Timing {
  const ascending = milliseconds.toSorted((one, other) => one - other)
  return {
    p50Ms: rounded(quantile(ascending, 0.5)),
    p95Ms: rounded(quantile(ascending, 0.95)),
    calls: ascending.length,
  }
}

/**
 * How often each contender is called before it counts, and for how long at most: a server that has just started is
 * still being compiled, call by call.
 */
const warmUp = { calls: 2000, longestMs: 3000 }

/** The contenders from the one whose turn it is to begin. */
function startingWith<Item>(items: readonly Item[], turn: number): Item[] {
  const first = turn % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}

/**
 * Runs contenders in turn, one call of each after the other, so that whatever else the machine does meets all of them
 * alike. All begin equally often: whoever always came after the slowest would always find the processor's caches full of
 * what that has read.
 */
export async function measureInTurn<Name extends string>(
  rounds: number,
  contenders: readonly (Contender & { name: Name })[],
): Promise<Record<Name, Timing>> {
  const times = new Map<Name, number[]>(contenders.map(({ name }) => [name, []]))
  for (const { call } of contenders) {
    const end = performance.now() + warmUp.longestMs
    for (let left = warmUp.calls; left > 0 && performance.now() < end; left--) await call()
  }
  const turnsPerRound = Math.max(...contenders.map(({ callsPerRound }) => callsPerRound))
  for (let turn = 0; turn < rounds * turnsPerRound; turn++) {
    for (const { name, callsPerRound, call } of startingWith(contenders, turn)) {
      if (turn % turnsPerRound >= callsPerRound) continue
      const start = performance.now()
      await call()
      times.get(name)?.push(performance.now() - start)
    }
  }
  return Object.fromEntries([...times].map(([name, found]) => [name, timingOf(found)])) as Record<
    Name,
    Timing
  >
}
