import { maskedNumber } from '@chairside/contract'

/**
 * What the audit trail keeps of a change, with some numbers masked. One that is another number behind the same mask is
 * said to have changed, or the entry would tell that nothing did.
 */
export function maskedChange<Kept extends object, Name extends keyof Kept & string>(
  before: Kept & Record<Name, string>,
  after: Kept & Record<Name, string>,
  numbers: readonly Name[],
): { before: Kept; after: Kept & Partial<Record<`${Name}Changed`, true>> } {
  const masked = (kept: Kept & Record<Name, string>): Kept => ({
    ...kept,
    ...Object.fromEntries(numbers.map((name) => [name, maskedNumber(kept[name])])),
  })
  const looksSame = (name: Name) =>
    before[name] !== after[name] && maskedNumber(before[name]) === maskedNumber(after[name])
  return {
    before: masked(before),
    after: {
      ...masked(after),
      ...Object.fromEntries(numbers.filter(looksSame).map((name) => [`${name}Changed`, true])),
    } as Kept & Partial<Record<`${Name}Changed`, true>>,
  }
}
