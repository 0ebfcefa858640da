import { pairIn } from '../kit/containing-text.ts'
import { sql, type RawBuilder } from '../kit/database.ts'
import type { Scope } from '../kit/scope.ts'

interface Sought {
  /** `name` for the name and its initials, `userName` for the owner's user name. */
  field: 'name' | 'userName'
  text: string
  kinds: readonly ('agent' | 'merchant')[]
}

/**
 * Selects `id` and `kind` of all agents and merchants that two letters find, from where they are kept in the order of lists
 * (kind, newest first). Undefined for other texts, and for callers who do not see everybody: these find theirs by the
 * indexes of `organisations`.
 */
export function foundByPair(scope: Scope, { field, text, kinds }: Sought): RawBuilder<unknown> | undefined {
  const pair = scope.kind === 'platform' ? pairIn(text) : undefined
  if (pair === undefined) return undefined
  const [kind, ...others] = kinds
  const ofKind = others.length === 0 ? sql` and kind = ${kind}` : sql``
  return sql`
    select organisation_id as id, kind from organisation_letter_pairs
     where field = ${sql.lit(field)} and pair = ${pair}${ofKind}`
}
