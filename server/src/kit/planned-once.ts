import { createHash } from 'node:crypto'
import { sql } from 'kysely'

const mark = '/* planned once */'

/**
 * Begins a statement that is asked all the time and takes longer to plan than to run: a connection plans it once and
 * keeps it. Its text must be one of a few, and one plan must serve all values.
 */
export const plannedOnce = sql.raw(mark)

const statementNames = new Map<string, string>()

function statementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
    statementNames.set(text, name)
  }
  return name
}

/** The name under which a connection keeps the plan of a statement that begins with the mark. */
export const planNameOf = (text: string): string | undefined =>
  text.startsWith(mark) ? statementName(text) : undefined
