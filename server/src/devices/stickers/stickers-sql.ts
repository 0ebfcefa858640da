import { sql, type Database } from '../../kit/database.ts'
import { withinScope, type Scope } from '../../kit/scope.ts'

/** Which of these device ids there are within a scope, in the order of their text. */
export async function findKnownIds(
  db: Database,
  scope: Scope,
  deviceIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ sid: string }>`
    select d.sid from devices d
     where d.sid = any(${[...deviceIds]}::text[]) and d.removed_at is null
       and ${withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })}
     order by d.sid`.execute(db)
  return rows.map(({ sid }) => sid)
}

/** Ids of the devices of a batch, in the order of their text; undefined when there is no such batch. */
export async function findIdsOfBatch(db: Database, batchId: number): Promise<string[] | undefined> {
  const { rows } = await sql<{ sid: string | null }>`
    select d.sid from device_batches b left join devices d on d.batch_id = b.id and d.removed_at is null
     where b.id = ${batchId} order by d.sid`.execute(db)
  return rows.length === 0 ? undefined : rows.flatMap(({ sid }) => sid ?? [])
}
