import { containsByPairs } from '../kit/containing-text.ts'
import { sql, type Database, type RawBuilder } from '../kit/database.ts'

/** What may be initials: at least two letters or digits. */
const perhapsInitials = /^[a-z0-9]{2,}$/i

/** The condition for `organisations o` whose name contains a text, or the initials of whose name do: `hdjd` is in 海底角店. */
export function isNamed(text: string): RawBuilder<unknown> {
  const byName = containsByPairs(sql`o.name`, text)
  return perhapsInitials.test(text)
    ? sql`(${byName} or ${containsByPairs(sql`o.name_initials`, text)})`
    : byName
}

/** Names of some organisations whose initials are not written yet. */
export async function findNamesWithoutInitials(
  db: Database,
  take: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from organisations where name_initials is null order by id limit ${take}`.execute(db)
  return rows
}

/** Stores initials of names; an organisation that was renamed meanwhile is left for the next time. */
export async function storeInitials(
  db: Database,
  found: readonly { id: number; name: string; initials: string }[],
): Promise<void> {
  // Locked in the order of their ids first, as by whoever counts devices of several: nobody waits in a circle.
  await sql`
    with locked as materialized (
      select id from organisations where id = any(${found.map(({ id }) => id)}::bigint[]) order by id for no key update)
    update organisations o set name_initials = f.initials
      from locked, unnest(${found.map(({ id }) => id)}::bigint[], ${found.map(({ name }) => name)}::text[],
                  ${found.map(({ initials }) => initials)}::text[]) as f (id, name, initials)
     where o.id = f.id and locked.id = f.id and o.name = f.name`.execute(db)
}
