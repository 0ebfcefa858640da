import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { isResetting, latestStatus } from './device-for-sale.ts'
import { isNamed, type NamedDevices } from './devices-to-change-sql.ts'

/** What has to be known of a device to send it a command. */
export interface DeviceToCommand {
  id: number
  sid: string
  merchantId: number | null
  placeId: number | null
  placeAddress: string
  status: number
  locked: number
  /** Its merchant is locked. */
  blocked: boolean
  /** The command that it reports to run. */
  runningCommandId: string | null
  /** See `isResetting`. */
  isResetting: boolean
  /** Its model's chairs can be stopped before their time. */
  isControllable: boolean
  /** Its WiFi is being changed. */
  isChangingWifi: boolean
}

/** A change of WiFi is answered or given up long before. */
const wifiMinutes = 2

/**
 * Devices within a scope, by id, each locked so that one command after another is decided on. They are locked in that
 * order, so that callers never wait for each other in a circle.
 */
export async function findDevicesToCommand(
  db: Database,
  scope: Scope,
  named: NamedDevices,
): Promise<DeviceToCommand[]> {
  const wanted = sql`${isNamed(named)} and d.removed_at is null
    and ${withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })}`
  const { rows: locked } = await sql<{ id: number }>`
    select d.id from devices d where ${wanted} order by d.id for no key update`.execute(db)
  // Only a statement begun after the locks are held sees what was written before. What came into the scope since then is
  // not locked, and so not looked at.
  const lockedIds = locked.map(({ id }) => id)
  const { rows } = await sql<DeviceToCommand>`
    select d.id, d.sid, d.merchant_id as "merchantId", d.place_id as "placeId", coalesce(d.place_address, '') as "placeAddress",
           ${latestStatus} as status,
           d.locked, coalesce(m.status = 2, false) as blocked,
           case when s.running_until > now() then nullif(s.running_command_id, '') end as "runningCommandId",
           ${isResetting} as "isResetting", mo.controllable as "isControllable",
           exists (select 1 from device_commands c
                    where c.device_id = d.id and c.kind = 'wifi' and c.state in ('pending', 'sent')
                      and c.created_at > now() - make_interval(mins => ${wifiMinutes})) as "isChangingWifi"
      from devices d join device_states s on s.device_id = d.id join device_models mo on mo.id = d.model_id
      left join organisations m on m.id = d.merchant_id
     where d.id = any(${lockedIds}::bigint[]) and ${wanted} order by d.id`.execute(db)
  return rows
}
