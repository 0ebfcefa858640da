/** A range of device ids: the text before the digits, how many digits there are, and the first and the last number. */
export interface BatchRange {
  prefix: string
  /** 0 for an id that does not end in digits; its range is itself. */
  digits: number
  first: bigint
  amount: number
}

/** Counts the trailing digits of an id up, keeping their width (decisions §3). */
export function batchRange(firstId: string, amount: number): BatchRange {
  const [, prefix = '', digits = ''] = /^(.*?)(\d*)$/.exec(firstId) ?? []
  return { prefix, digits: digits.length, first: BigInt(digits || 0), amount }
}

/** How many ids there are from the first one of a range until its digits run out; not told above a number's own limit. */
export function roomOf({ digits, first }: BatchRange): number {
  if (digits === 0) return 1
  const room = 10n ** BigInt(digits) - first
  return room > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(room)
}

/** The id at a place of a range, counted from 0. */
export function idInRange({ prefix, digits, first }: BatchRange, place: number): string {
  return digits === 0 ? prefix : prefix + String(first + BigInt(place)).padStart(digits, '0')
}

export const lastIdOf = (range: BatchRange): string => idInRange(range, range.amount - 1)
