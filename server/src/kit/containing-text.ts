import { sql, type RawBuilder } from './database.ts'

/**
 * Texts whose small letters JavaScript and PostgreSQL agree on, whatever the locale (a Turkish one apart): of letters such
 * as the dotted I or the Greek sigma they think differently, and PostgreSQL made the index.
 */
const hasPlainLetters = (text: string) => /^(?:\p{ASCII}|\P{Changes_When_Casemapped})*$/u.test(text)

/** A parameter in small letters, made here where that is quicker. */
const smallLetters = (text: string): RawBuilder<unknown> =>
  hasPlainLetters(text) ? sql`${text.toLowerCase()}` : sql`lower(${text}::text)`

/** The `like` pattern for whatever contains a text; what the text has of `like`'s own signs counts as letters. */
const patternOf = (text: string) => smallLetters(`%${text.replace(/[\\%_]/g, '\\$&')}%`)

/** The condition for a column that contains a text, in letters of either size. */
export const contains = (column: RawBuilder<unknown>, text: string) =>
  sql`lower(${column}) like ${patternOf(text)}`

/** The pair of small letters that a text of two letters is, as `letter_pairs()` makes it; none of other texts. */
export const pairIn = (text: string): string | undefined =>
  [...text].length === 2 && hasPlainLetters(text) ? text.toLowerCase() : undefined

/** Each pair of neighbouring letters, as `letter_pairs()` takes a column apart; that takes longer. */
function pairsOf(text: string): RawBuilder<unknown> {
  if (!hasPlainLetters(text)) return sql`letter_pairs(lower(${text}::text))`
  const letters = [...text.toLowerCase()]
  const pairs = new Set(letters.slice(1).map((letter, place) => `${letters[place]}${letter}`))
  return sql`${[...pairs]}::text[]`
}

/**
 * The same for a column that has an index of its pairs of letters, which finds two letters and more. Two letters are a
 * pair themselves: what the index finds contains them, and is not looked at again.
 */
export function containsByPairs(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  const { length } = [...text]
  if (length < 2) return contains(column, text)
  const hasPairs = sql`letter_pairs(lower(${column})) @> ${pairsOf(text)}`
  return length === 2 && hasPlainLetters(text) ? hasPairs : sql`(${hasPairs} and ${contains(column, text)})`
}
