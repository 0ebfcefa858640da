import { sql, type RawBuilder } from './database.ts'

/** The `like` pattern for whatever contains a text, in lower case; what the text has of `like`'s own signs counts as letters. */
const patternOf = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** The condition for a column that contains a text, in letters of either size. */
export const contains = (column: RawBuilder<unknown>, text: string) =>
  sql`lower(${column}) like ${patternOf(text)}`

/** Each two letters that stand next to each other, as `letter_pairs()` takes a column apart. */
const pairsOf = (letters: readonly string[]) => [
  ...new Set(letters.slice(1).map((letter, place) => `${letters[place]}${letter}`)),
]

/**
 * The same for a column that has an index of its pairs of letters, which finds two letters and more. Two letters are a
 * pair themselves: what the index finds contains them, and is not looked at again.
 */
export function containsByPairs(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  const letters = [...text.toLowerCase()]
  if (letters.length < 2) return contains(column, text)
  const hasPairs = sql`letter_pairs(lower(${column})) @> ${pairsOf(letters)}::text[]`
  return letters.length === 2 ? hasPairs : sql`(${hasPairs} and ${contains(column, text)})`
}
