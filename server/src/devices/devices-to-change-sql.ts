import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

/** A device, locked so that nobody else can change it. */
export interface DeviceToChange {
  id: number
  sid: string
  name: string
  modelId: number
  firmware: string
  merchantId: number | null
  merchantName: string
  placeId: number | null
  templateId: number | null
  sleepTemplateId: number | null
  bound: boolean
  locked: number
  /** It runs, or a start is on its way to it. */
  inUse: boolean
}

/** A start that is not answered yet is given up before this. */
const startMinutes = 10
/** No run is longer. */
const runHours = 24

const columns = sql`
  d.id, d.sid, d.name, d.model_id as "modelId", d.firmware, d.merchant_id as "merchantId", coalesce(m.name, '') as "merchantName", d.place_id as "placeId",
  d.template_id as "templateId", d.sleep_template_id as "sleepTemplateId", d.bound, d.locked,
  s.running_command_id <> '' and coalesce(s.running_until > now(), false)
    or exists (select 1 from device_commands c
                where c.device_id = d.id and c.kind = 'start' and c.created_at > now() - make_interval(hours => ${runHours})
                  and (c.state in ('pending', 'sent') and c.created_at > now() - make_interval(mins => ${startMinutes})
                    or c.state = 'accepted' and c.delivered_seconds is null
                       and c.acknowledged_at + make_interval(secs => (c.payload ->> 'durationSeconds')::double precision) > now())) as "inUse"`

/** Devices as a call names them: by the ids of their rows, or by their device ids. */
export type NamedDevices = readonly (number | string)[]

/** Whether a row `d` is of the named devices. */
export const isNamed = (named: NamedDevices) => sql`(
  d.id = any(${named.filter((name) => typeof name === 'number')}::bigint[])
  or d.sid = any(${named.filter((name) => typeof name === 'string')}::text[]))`

/** The named devices that are none of those that were found. */
export function missingOf(
  named: NamedDevices,
  found: readonly { id: number; sid: string }[],
): { id: number; deviceId: string }[] {
  const known = new Set<number | string>(found.flatMap(({ id, sid }) => [id, sid]))
  return named
    .filter((name) => !known.has(name))
    .map((name) => (typeof name === 'number' ? { id: name, deviceId: '' } : { id: 0, deviceId: name }))
}

/**
 * The named devices within a scope, by id. They are locked in that order, so that callers that change the same
 * ones wait for one another and never in a circle.
 */
export async function findDevicesToChange(
  db: Database,
  scope: Scope,
  named: NamedDevices,
): Promise<DeviceToChange[]> {
  const within = withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })
  const { rows: locked } = await sql<{ id: number }>`
    select d.id from devices d where ${isNamed(named)} and ${within} and d.removed_at is null
     order by d.id for no key update`.execute(db)
  // Only a statement begun after the locks are held sees what was written before. What came into the scope since then is
  // not locked, and so not looked at.
  const lockedIds = locked.map(({ id }) => id)
  const { rows } = await sql<DeviceToChange>`
    select ${columns} from devices d join device_states s on s.device_id = d.id left join organisations m on m.id = d.merchant_id
     where d.id = any(${lockedIds}::bigint[]) and ${within} and d.removed_at is null order by d.id`.execute(
    db,
  )
  return rows
}
