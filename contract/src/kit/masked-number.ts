/** What `maskedNumber` shows of a number: its first and last characters; all of one that tells too little to be hidden in part. */
export const maskedNumberShows = { head: 3, tail: 4, wholeBelow: 8 } as const

/** `138****5678` (decisions §1). */
export function maskedNumber(number: string): string {
  const { head, tail, wholeBelow } = maskedNumberShows
  const characters = [...number]
  if (characters.length < wholeBelow) return number
  return `${characters.slice(0, head).join('')}****${characters.slice(-tail).join('')}`
}
