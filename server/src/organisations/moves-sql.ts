import type { MoveRecord } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { atOrBelow, withinScope, type Scope } from '../kit/scope.ts'

/** Waits until nobody else changes the tree or folds counters, and keeps it so until the transaction ends. */
export async function lockTree(db: Database): Promise<void> {
  await sql`select lock_organisation_tree()`.execute(db)
}

/** Moves organisations with all below them, one after another, and keeps that it was done; the caller holds the tree. */
export async function moveBelow(
  db: Database,
  ids: readonly number[],
  parentId: number,
  mover: { userName: string; organisationId: number },
): Promise<void> {
  await sql`
    insert into organisation_moves (organisation_id, name, from_parent_id, to_parent_id, moved_by, mover_organisation_id)
    select id, name, parent_id, ${parentId}, ${mover.userName}, ${mover.organisationId}
      from organisations where id = any(${[...ids]}::bigint[]) order by id`.execute(db)
  await sql`select move_organisation(id, ${parentId}) from unnest(${[...ids]}::bigint[]) as chosen (id)`.execute(
    db,
  )
}

/** What stands at and below some organisations, each counted once. */
export async function countBelow(
  db: Database,
  ids: readonly number[],
): Promise<{ agents: number; subAgents: number; merchants: number; devices: number }> {
  const { rows } = await sql<{ agents: number; subAgents: number; merchants: number; devices: number }>`
    with taken as (
      select distinct b.id, b.kind, b.device_count from organisations chosen
        join organisations b on ${atOrBelow(sql`b.path`, sql`chosen.path`)}
       where chosen.id = any(${[...ids]}::bigint[]))
    select count(*) filter (where kind = 'agent' and id = any(${[...ids]}::bigint[])) as agents,
           count(*) filter (where kind = 'agent' and id <> all(${[...ids]}::bigint[])) as "subAgents",
           count(*) filter (where kind = 'merchant') as merchants,
           coalesce(sum(device_count) filter (where kind = 'merchant'), 0) as devices
      from taken`.execute(db)
  return rows[0] ?? { agents: 0, subAgents: 0, merchants: 0, devices: 0 }
}

/** Moves of an organisation, newest first. Names of who is not in the scope stay empty, but for the platform's people. */
export async function findMoves(db: Database, scope: Scope, organisationId: number): Promise<MoveRecord[]> {
  const nameSeen = (alias: 'from_parent' | 'to_parent') =>
    sql`case when ${withinScope(scope, { merchantId: sql.ref(`${alias}.id`) })} then ${sql.ref(`${alias}.name`)} else '' end`
  const { rows } = await sql<Omit<MoveRecord, 'createTime'> & { createTime: Date }>`
    select m.name, m.moved_at as "createTime", ${nameSeen('to_parent')} as parent, ${nameSeen('from_parent')} as "fromParent",
           case when m.mover_organisation_id = 1 or ${withinScope(scope, { merchantId: sql`m.mover_organisation_id` })}
             then m.moved_by else '' end as "createBy"
      from organisation_moves m
      join organisations from_parent on from_parent.id = m.from_parent_id
      join organisations to_parent on to_parent.id = m.to_parent_id
     where m.organisation_id = ${organisationId} and ${withinScope(scope, { merchantId: sql`m.organisation_id` })}
     order by m.id desc`.execute(db)
  return rows.map((row) => ({ ...row, createTime: row.createTime.toISOString() }))
}
