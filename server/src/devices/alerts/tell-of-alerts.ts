import type { AlertTold } from '@chairside/contract'
import { sql, type Database } from '../../kit/database.ts'
import { announce } from '../../notifications/announce.ts'

/** An alert that comes and goes is told again after so long. */
const quietMinutes = 60

/**
 * Announces alerts whose state is not what was told of them last. That one is over is told at once, that it is back again
 * after a while: who comes and goes all day is no news each time.
 */
export async function tellOfAlerts(trx: Database, now: Date): Promise<void> {
  const { rows } = await sql<AlertTold & { id: number; merchantId: number; isOpen: boolean }>`
    with told as (
      update device_alerts a set told_open = a.cleared_at is null, told_at = ${now}
       where a.told_open <> (a.cleared_at is null)
         and (a.told_open or a.told_at is null or a.told_at <= ${now}::timestamptz - make_interval(mins => ${quietMinutes}))
      returning a.*)
    select t.id, t.merchant_id as "merchantId", t.cleared_at is null as "isOpen", t.kind, t.place_id as "placeId",
           coalesce(p.address, '') as "placeAddress", coalesce(one.sid, '') as "deviceId", coalesce(one.name, '') as "deviceName",
           case when t.cleared_at is null then t.devices else t.most_devices end as devices,
           t.place_devices as "placeDevices", t.code
      from told t
      left join places p on p.id = t.place_id
      left join lateral (
        -- What the next holder calls it is not for the one before.
        select d.sid, case when d.merchant_id = t.merchant_id and d.removed_at is null then d.name else '' end as name
          from device_alert_devices m join devices d on d.id = m.device_id
         where m.alert_id = t.id and t.most_devices = 1 limit 1) one on true
     order by t.id`.execute(trx)
  await announce(
    trx,
    rows.map(({ id, merchantId, isOpen, ...told }) => ({
      cause: `alert ${id} ${isOpen ? 'open' : 'over'} ${now.toISOString()}`,
      merchantId,
      event: { type: isOpen ? 'alertRaised' : 'alertCleared', told },
    })),
  )
}
