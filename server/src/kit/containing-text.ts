import { sql, type RawBuilder } from './database.ts'

/** The `like` pattern for whatever contains a text, in lower case; what the text has of `like`'s own signs counts as letters. */
const patternOf = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** The condition for a column that contains a text, in letters of either size. */
export const contains = (column: RawBuilder<unknown>, text: string) =>
  sql`lower(${column}) like ${patternOf(text)}`

/** The same for a column that has an index of its pairs of letters, which finds two letters and more. */
export const containsByPairs = (column: RawBuilder<unknown>, text: string) =>
  [...text].length < 2
    ? contains(column, text)
    : sql`(letter_pairs(lower(${column})) @> letter_pairs(lower(${text})) and ${contains(column, text)})`
