import type { LiveDevice } from '@chairside/contract'
import { plannedOnce, sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

export interface LiveRecord extends LiveDevice {
  /** Another one when anything else of the device changed, or where its merchant stands. */
  version: string
}

/** How devices are at this moment; those that are not there any more are missing. */
export async function findLiveDevices(db: Database, sids: readonly string[]): Promise<LiveRecord[]> {
  const { rows } = await sql<LiveRecord>`${plannedOnce}
    select d.sid as "deviceId", s.status, s.signal as signals, d.locked, coalesce(m.status = 2, false) as blocked,
           s.running_command_id <> '' and coalesce(s.running_until > now(), false) as running,
           concat_ws(' ', d.xmin, m.path) as version
      from devices d join device_states s on s.device_id = d.id left join organisations m on m.id = d.merchant_id
     where d.sid = any(${[...sids]}) and d.removed_at is null`.execute(db)
  return rows
}

/** Those of some devices that are within a scope. */
export async function findDevicesWithin(
  db: Database,
  scope: Scope,
  sids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ sid: string }>`
    select d.sid from devices d
     where d.sid = any(${[...sids]}) and d.removed_at is null
       and ${withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })}`.execute(db)
  return rows.map(({ sid }) => sid)
}
