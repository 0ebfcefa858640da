import { alertRules, deviceStatuses } from '@chairside/contract'
import { inTransaction, sql, type Database } from '../../kit/database.ts'
import { advisoryLocks } from '../../kit/advisory-locks.ts'

const { wifiOnline, gprsOnline, offline, trouble } = deviceStatuses

/** Places learned about at a time; ten thousand take less than a day. */
const placesAtATime = 10

/** Learns again how places trade, where that is a day old or was never done, the oldest first. */
export function learnRhythms(db: Database, now: Date, most = placesAtATime): Promise<void> {
  const { historyDays, leastPauses, quantile, factor, leastHours } = alertRules.quiet
  return inTransaction(db, async (trx) => {
    const lock = await sql<{
      taken: boolean
    }>`select pg_try_advisory_xact_lock(${advisoryLocks.saleRhythms}) as taken`.execute(trx)
    if (!lock.rows[0]?.taken) return
    await sql`
      select learn_rhythm(id, ${now}, ${historyDays}, ${leastPauses}, ${quantile}, ${factor}, ${leastHours})
        from (select p.id from places p left join place_rhythms r on r.place_id = p.id
               where p.removed_at is null and (r.learned_at is null or r.learned_at < ${now}::timestamptz - interval '1 day')
               order by r.learned_at nulls first, p.id limit ${most}) due`.execute(trx)
  })
}

/**
 * Calculates again from when on the pause of a device is unusual, where that instant has come and the device has sold since,
 * or could not: it was offline, in trouble, newly bound, or nobody waited for it. So no sale and no heartbeat writes here.
 */
export async function reckonPauses(db: Database, now: Date): Promise<void> {
  await sql`
    update device_rhythms r
       set idle_from = n.idle_from, quiet_from = after_trade(p.week_trade, n.idle_from, r.limit_hours, z.time_zone), is_stale = false
      from (select due.device_id,
                   greatest(due.idle_from, l.last_at, w.bound_at, o.ended_at, case when w.id is null then ${now}::timestamptz end) as idle_from
              from device_rhythms due
              left join watched_devices w on w.id = due.device_id
              left join device_last_sales l on l.device_id = due.device_id
              left join lateral (
                select max(h.ended_at) as ended_at from device_status_history h
                 where h.device_id = due.device_id and h.status in (${sql.lit(offline)}, ${sql.lit(trouble)})
                   and h.reported_at > due.idle_from - interval '30 days' and h.reported_at <= ${now} and h.ended_at > due.idle_from
                   and h.ended_at - h.reported_at >= make_interval(mins => ${alertRules.outageMinutes})) o on true
             where due.quiet_from <= ${now}) n
     cross join (select time_zone from platform_settings) z, place_rhythms p
     where p.place_id = r.place_id and r.device_id = n.device_id and (r.is_stale or n.idle_from > r.idle_from)`.execute(
    db,
  )
}

/**
 * Devices that could sell and have not for unusually long, as symptoms. It begins while the place is open, and lasts until
 * the next sale.
 */
export const quietDevices = (now: Date) => sql`
  select r.device_id, 'quiet', r.quiet_from, ''
    from device_rhythms r
    join device_states s on s.device_id = r.device_id and s.status in (${sql.lit(wifiOnline)}, ${sql.lit(gprsOnline)})
    join devices d on d.id = r.device_id and d.place_id = r.place_id and d.template_id is not null
    join places p on p.id = d.place_id
    cross join (select time_zone from platform_settings) z
   where r.quiet_from <= ${now} and not r.is_stale
     and (open_since(p.open_time, p.close_time, ${now}::timestamptz at time zone z.time_zone) is not null
          or exists (select from device_symptoms q where q.device_id = r.device_id and q.kind = 'quiet'))`
