import { idInRange, lastIdOf, type BatchRange, type DeviceBatch } from '@chairside/contract'
import { contains } from '../kit/containing-text.ts'
import { sql, streamRows, type Database, type RawBuilder } from '../kit/database.ts'
import type { Principal } from '../kit/principal.ts'
import { advisoryLocks } from '../kit/advisory-locks.ts'
import { beginStatesOf, retireDevices } from './device-terms-sql.ts'

/** A batch as its list shows it. */
export type BatchRecord = Omit<DeviceBatch, 'createTime' | 'typeName'> & { createTime: Date }

const columns = sql`
  b.id, b.first_sid as deviceid, b.last_sid as "lastDeviceId", b.amount, b.model_id as modelid,
  coalesce(nullif(mo.name, ''), mo.model) as "modelName", b.type_id as typeid, b.firmware as fmversion, b.created_at as "createTime",
  (case when last.sid is null then 0 when b.digits = 0 then 1
        else substr(last.sid, length(b.prefix) + 1)::numeric - b.first_number + 1 end)::integer as assigned`
// Of equal width, ids are in the order of their text.
const tables = sql`
  device_batches b join device_models mo on mo.id = b.model_id
  left join lateral (select d.sid from devices d
                      where d.batch_id = b.id and d.first_assigned_at is not null order by d.sid desc limit 1) last on true`

/** An id lies in a range when it has the same letters before it, the same number of digits, and a number within. */
function holds(id: RawBuilder<unknown>) {
  return sql`(b.digits > 0 and length(${id}) = length(b.first_sid) and starts_with(${id}, b.prefix)
    and substr(${id}, length(b.prefix) + 1) ~ '^[0-9]+$'
    and case when substr(${id}, length(b.prefix) + 1) ~ '^[0-9]+$'
             then substr(${id}, length(b.prefix) + 1)::numeric between b.first_number and b.first_number + b.amount - 1 end)`
}

/** Whether some id of a range begins so: those that do lie between its digits filled up with noughts and with nines. */
function holdsBeginning(part: RawBuilder<unknown>) {
  const filledUp = (digit: string) => sql`rpad(${part}, length(b.first_sid), ${digit}) collate "C"`
  return sql`(b.digits > 0 and length(${part}) < length(b.first_sid) and starts_with(${part}, b.prefix)
    and substr(${part}, length(b.prefix) + 1) ~ '^[0-9]*$'
    and ${filledUp('0')} <= b.last_sid and ${filledUp('9')} >= b.first_sid)`
}

const matching = (part: string | undefined) => {
  if (part === undefined) return sql`true`
  const typed = sql`${part}::text`
  return sql`(${contains(sql`b.first_sid`, part)} or ${contains(sql`b.last_sid`, part)}
    or ${holds(typed)} or ${holdsBeginning(typed)})`
}

/** A page of the batches, newest first, and how many match. */
export async function findBatches(
  db: Database,
  deviceId: string | undefined,
  page: { skip: number; take: number },
): Promise<{ list: BatchRecord[]; total: number }> {
  const where = matching(deviceId)
  const count = await sql<{
    total: number
  }>`select count(*) as total from device_batches b where ${where}`.execute(db)
  const { rows } = await sql<BatchRecord>`
    select ${columns} from ${tables} where ${where} order by b.created_at desc, b.id desc offset ${page.skip} limit ${page.take}`.execute(
    db,
  )
  return { list: rows, total: count.rows[0]?.total ?? 0 }
}

/** Every batch that matches, newest first. */
export const streamBatches = (db: Database, deviceId: string | undefined): AsyncGenerator<BatchRecord[]> =>
  streamRows(
    db,
    sql<BatchRecord>`select ${columns} from ${tables} where ${matching(deviceId)} order by b.created_at desc, b.id desc`,
  )

export async function findBatch(db: Database, id: number): Promise<BatchRecord | undefined> {
  const { rows } = await sql<BatchRecord>`select ${columns} from ${tables} where b.id = ${id}`.execute(db)
  return rows[0]
}

/** The same, locked for a change of it. */
export async function findBatchToChange(db: Database, id: number): Promise<BatchRecord | undefined> {
  await sql`select 1 from device_batches where id = ${id} for no key update`.execute(db)
  // Only a statement begun after the lock is held sees what was written before.
  return findBatch(db, id)
}

/**
 * Keeps other batches of the same letters and width waiting until the transaction ends. A large batch takes seconds, and
 * many may wait for one another.
 */
export async function holdRange(db: Database, { prefix, digits }: BatchRange): Promise<void> {
  await sql`select set_config('lock_timeout', '60s', true)`.execute(db)
  await sql`select pg_advisory_xact_lock(${advisoryLocks.batchRange}, hashtext(${`${prefix}/${digits}`}))`.execute(
    db,
  )
}

/** The first id of a range that a device or another batch has already; undefined when it is free. */
export async function findTaken(
  db: Database,
  range: BatchRange,
  ownBatchId: number | null = null,
): Promise<string | undefined> {
  const { prefix, digits, first, amount } = range
  const [from, to] = [idInRange(range, 0), lastIdOf(range)]
  const { rows } = await sql<{ device: string | null; batch: string | null }>`
    select
      (select d.sid from devices d
        where d.sid >= ${from} and d.sid <= ${to} and length(d.sid) = ${from.length} and d.removed_at is null
          and d.batch_id is distinct from ${ownBatchId} and (${digits} = 0 or substr(d.sid, ${prefix.length + 1}) ~ '^[0-9]+$')
        order by d.sid limit 1) as device,
      (select greatest(b.first_number, ${String(first)}::numeric)::text from device_batches b
        where b.prefix = ${prefix} and b.digits = ${digits} and b.id is distinct from ${ownBatchId}
          and b.first_number < ${String(first)}::numeric + ${amount} and b.first_number + b.amount > ${String(first)}::numeric
        order by b.first_number limit 1) as batch`.execute(db)
  const { device, batch } = rows[0] ?? { device: null, batch: null }
  const ofBatch = batch === null ? undefined : idInRange({ ...range, first: BigInt(batch) }, 0)
  // Of equal width, ids are in the order of their text.
  return [device ?? undefined, ofBatch].filter((id) => id !== undefined).toSorted()[0]
}

export interface BatchFields {
  modelId: number
  typeId: string
  firmware: string
}

export async function insertBatch(db: Database, range: BatchRange, fields: BatchFields): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device_batches (first_sid, last_sid, prefix, digits, first_number, amount, model_id, type_id, firmware)
    values (${idInRange(range, 0)}, ${lastIdOf(range)}, ${range.prefix}, ${range.digits}, ${String(range.first)}::numeric, ${range.amount},
            ${fields.modelId}, ${fields.typeId}, ${fields.firmware})
    returning id`.execute(db)
  if (!rows[0]) throw new Error('no batch was stored')
  return rows[0].id
}

export async function updateBatch(
  db: Database,
  id: number,
  range: BatchRange,
  fields: BatchFields,
): Promise<void> {
  await sql`
    update device_batches set last_sid = ${lastIdOf(range)}, amount = ${range.amount}, model_id = ${fields.modelId}, firmware = ${fields.firmware}
     where id = ${id}`.execute(db)
}

type Operator = Pick<Principal, 'userName' | 'organisationId'>

const logAs = (operator: Operator, action: string, details: Record<string, string> = {}) => sql`
  insert into device_logs (device_id, user_id, operator_organisation_id, action, details)
  select id, ${operator.userName}, ${operator.organisationId}::bigint, ${action}, ${JSON.stringify(details)}::jsonb`

/** Bytes of a board's credential. */
const hashBytes = 32

/**
 * Makes the devices of a range in one statement; removed ones of these ids come back as new.
 * @param hashes the credentials of all of them, one behind the other
 * @returns how many were made: fewer than wanted when somebody else made one of them meanwhile
 */
export async function insertDevicesOfBatch(
  db: Database,
  batch: BatchFields & { id: number },
  range: BatchRange,
  hashes: Buffer,
  operator: Operator,
): Promise<number> {
  const number = sql`(${String(range.first)}::numeric + place)::text`
  const { rows } = await sql<{ count: number }>`
    with made as (
      insert into devices as d (sid, model_id, type_id, firmware, batch_id, credential_hash)
      select ${range.prefix} || case when ${range.digits}::integer > 0 then lpad(${number}, ${range.digits}::integer, '0') else '' end,
             ${batch.modelId}, ${batch.typeId}, ${batch.firmware}, ${batch.id}::bigint,
             substring(${hashes}::bytea from place * ${hashBytes} + 1 for ${hashBytes})
        from generate_series(0, ${range.amount - 1}::integer) place order by place
      on conflict (sid) do update set
        name = '', model_id = excluded.model_id, type_id = excluded.type_id, firmware = excluded.firmware, batch_id = excluded.batch_id,
        credential_hash = excluded.credential_hash, merchant_id = null, place_id = null, template_id = null, sleep_template_id = null,
        bound = false, bound_at = null, locked = 0, wifi_ssid = '', wifi_password = null, tag = '', removed_at = null, created_at = now()
        where d.removed_at is not null
      returning id),
    stated as (${beginStatesOf('made')}),
    logged as (${logAs(operator, 'added')} from made)
    select count(*) as count from made`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Removes the devices of a batch from a place on, as far as they never belonged to a merchant.
 * @returns how many went
 */
export async function removeDevicesOfBatch(
  db: Database,
  batchId: number,
  range: BatchRange,
  fromPlace: number,
  operator: Operator,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with locked as materialized (
      select id from devices
       where batch_id = ${batchId} and ${standsFrom(range, fromPlace)} and first_assigned_at is null
         and removed_at is null order by id for no key update),
    removed as (
      update devices d set removed_at = now(), bound = false, batch_id = null from locked l where d.id = l.id returning d.id),
    logged as (${logAs(operator, 'removed')} from removed)
    select id from removed`.execute(db)
  await retireDevices(
    db,
    rows.map(({ id }) => id),
  )
  return rows.length
}

/** Of equal width, ids are in the order of their text. */
const standsFrom = (range: BatchRange, place: number) => sql`sid >= ${idInRange(range, place)}`

/** The last device of a batch, from a place on, that belongs or belonged to a merchant. */
export async function findLastAssigned(
  db: Database,
  batchId: number,
  range: BatchRange,
  fromPlace: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ sid: string }>`
    select sid from devices where batch_id = ${batchId} and ${standsFrom(range, fromPlace)} and first_assigned_at is not null
     order by sid desc limit 1`.execute(db)
  return rows[0]?.sid
}

/** Devices of a batch that are there and are as told, locked in the order of their ids. */
const lockedOf = (batchId: number, condition: RawBuilder<unknown>) => sql`
  select id from devices where batch_id = ${batchId} and removed_at is null and ${condition} order by id for no key update`

/** Gives devices of a batch its new model and firmware, as far as they still have the ones it had. */
export async function updateDevicesOfBatch(
  db: Database,
  batchId: number,
  change: { before: BatchFields; after: BatchFields; modelName: string },
  operator: Operator,
): Promise<void> {
  const { before, after, modelName } = change
  if (before.modelId !== after.modelId) {
    await sql`
      with locked as materialized (${lockedOf(batchId, sql`model_id = ${before.modelId}`)}),
      changed as (
        update devices d set model_id = ${after.modelId} from locked l where d.id = l.id returning d.id, d.merchant_id)
      insert into device_logs (device_id, merchant_id, user_id, operator_organisation_id, action, details)
      select id, merchant_id, ${operator.userName}, ${operator.organisationId}::bigint, 'edited', ${JSON.stringify({ changes: modelName })}::jsonb
        from changed`.execute(db)
  }
  if (before.firmware !== after.firmware) {
    await sql`
      with locked as materialized (${lockedOf(batchId, sql`firmware = ${before.firmware}`)})
      update devices d set firmware = ${after.firmware} from locked l where d.id = l.id`.execute(db)
  }
}

/** Its devices are gone from it already; those removed one by one before stay as they are, in no batch. */
export async function deleteBatchRow(db: Database, id: number): Promise<void> {
  await sql`
    with locked as materialized (select id from devices where batch_id = ${id} order by id for no key update)
    update devices d set batch_id = null from locked l where d.id = l.id`.execute(db)
  await sql`delete from device_batches where id = ${id}`.execute(db)
}
