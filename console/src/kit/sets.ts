/* What sets know by themselves only in browsers that came after 2023. */

export const withAll = <T>(set: ReadonlySet<T>, more: Iterable<T>): Set<T> => new Set([...set, ...more])

export function without<T>(set: ReadonlySet<T>, less: Iterable<T>): Set<T> {
  const left = new Set(set)
  for (const one of less) left.delete(one)
  return left
}

/** What is in one of them only. */
export const differenceOf = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): T[] => [
  ...without(one, other),
  ...without(other, one),
]

/** The set with something put in, or taken out where it was in. */
export const toggled = <T>(set: ReadonlySet<T>, one: T): Set<T> =>
  set.has(one) ? without(set, [one]) : withAll(set, [one])
