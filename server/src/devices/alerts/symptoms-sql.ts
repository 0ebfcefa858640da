import { alertRules, deviceStatuses, type AlertKind } from '@chairside/contract'
import { sql, type Database } from '../../kit/database.ts'
import { quietDevices } from './rhythms-sql.ts'

/** How long what is amiss has to last, in minutes; settings. */
export interface AlertTimes {
  offlineMinutes: number
  weakSignalMinutes: number
  /** A device is well again when it has been so for this long; what comes back before is the same. */
  settleMinutes: number
}

const { offline, trouble } = deviceStatuses

/**
 * What is amiss now, one row for each device and kind. Of the states only the narrow table is read: an index on the
 * signal would be written by every heartbeat. A device that was never heard of is not offline, it is not there yet.
 */
const found = (now: Date) => sql`
  select w.id as device_id, w.merchant_id, w.place_id, c.kind, c.since, c.code
    from (select device_id, 'offline' as kind, status_since as since, '' as code
            from device_states where status = ${sql.lit(offline)} and last_seen_at is not null
          union all
          select device_id, 'trouble', status_since, trouble_code from device_states where status = ${sql.lit(trouble)}
          union all
          select device_id, 'weakSignal', ${now}::timestamptz, ''
            from device_states where signal <= ${sql.lit(alertRules.weakSignalBars)} and status <> ${sql.lit(offline)}
          union all
          ${quietDevices(now)}) c
    -- "offset 0": looked up for each of the few, whatever the planner makes of their number.
    cross join lateral (select merchant_id, place_id, id from watched_devices where id = c.device_id offset 0) w`

/**
 * Ends what is over: of devices that have been well for long enough, that stand elsewhere now, or that nobody waits for
 * any more. An alert without a device left is cleared.
 */
export async function endSymptoms(db: Database, times: AlertTimes, now: Date): Promise<void> {
  // A device that has sold is no longer quiet; any other symptom has to stay away for a while.
  const settleMinutes = sql`case s.kind when 'quiet' then 0 else ${times.settleMinutes}::integer end`
  await sql`
    with gone as (
      delete from device_symptoms s
       where s.well_since <= ${now}::timestamptz - make_interval(mins => ${settleMinutes})
          or not exists (select from watched_devices w
                          where w.id = s.device_id and w.merchant_id = s.merchant_id and w.place_id is not distinct from s.place_id offset 0)
      returning s.device_id, s.alert_id, s.well_since),
    left_alerts as (
      update device_alert_devices m set left_at = coalesce(g.well_since, ${now})
        from gone g where m.alert_id = g.alert_id and m.device_id = g.device_id),
    shrunk as (select alert_id, count(*) as devices from gone where alert_id is not null group by alert_id)
    update device_alerts a
       set devices = a.devices - s.devices, cleared_at = case when a.devices = s.devices then ${now}::timestamptz end
      from shrunk s where a.id = s.alert_id`.execute(db)
}

/** Writes down what began, came back or is over since the last look; nothing where nothing changed. */
export async function noticeSymptoms(db: Database, now: Date): Promise<void> {
  await sql`
    with found as materialized (${found(now)}),
    begun as (
      insert into device_symptoms (device_id, kind, merchant_id, place_id, since, latest_since, code)
      select f.device_id, f.kind, f.merchant_id, f.place_id, f.since, f.since, f.code from found f
       where not exists (select from device_symptoms s where s.device_id = f.device_id and s.kind = f.kind)
      on conflict do nothing),
    over as (
      update device_symptoms s set well_since = ${now}
       where s.well_since is null
         and not exists (select from found f where f.device_id = s.device_id and f.kind = s.kind)
         -- Without its line nobody knows what became of its trouble.
         and not (s.kind = 'trouble' and exists (
               select from device_states d where d.device_id = s.device_id and d.status = ${sql.lit(offline)}))),
    changed as (
      select f.device_id, f.kind, f.since, f.code, s.alert_id,
             s.well_since is not null or f.kind in ('offline', 'trouble') and f.since > s.latest_since as came_back
        from found f join device_symptoms s on s.device_id = f.device_id and s.kind = f.kind
       where s.well_since is not null or f.kind in ('offline', 'trouble') and f.since > s.latest_since or f.code <> s.code),
    kept as (
      update device_symptoms s
         set well_since = null, latest_since = case when c.came_back then c.since else s.latest_since end,
             times = s.times + c.came_back::integer, code = c.code
        from changed c where s.device_id = c.device_id and s.kind = c.kind),
    counted as (
      update device_alert_devices m set times = m.times + 1
        from changed c where c.came_back and m.alert_id = c.alert_id and m.device_id = c.device_id
      returning m.alert_id, m.times)
    update device_alerts a set times = greatest(a.times, n.times), code = n.code
      from (select c.alert_id, coalesce(max(m.times), 0) as times, max(c.code) as code
              from changed c left join counted m on m.alert_id = c.alert_id
             where c.alert_id is not null group by c.alert_id) n
     where a.id = n.alert_id`.execute(db)
}

/** Minutes by kind, as a `case` over a column. */
const minutesByKind = (column: string, minutes: Record<AlertKind, number>) =>
  sql`make_interval(mins => case ${sql.ref(column)}
    when 'offline' then ${sql.val(minutes.offline)}::integer when 'trouble' then ${sql.val(minutes.trouble)}::integer
    when 'weakSignal' then ${sql.val(minutes.weakSignal)}::integer else ${sql.val(minutes.quiet)}::integer end)`

/**
 * Raises alerts for what has lasted long enough. A device takes up the alert it has just left; else it joins what began
 * at its place at about the same time; what is left begins new ones, together where they belong together. Offline and
 * weak signal count while the place is open: who switches off at night is not called at night.
 */
export async function raiseAlerts(db: Database, times: AlertTimes, now: Date): Promise<void> {
  const { offlineMinutes, weakSignalMinutes } = times
  const { share, places } = alertRules.ownOutage
  const delay = minutesByKind('s.kind', {
    offline: offlineMinutes,
    trouble: 0,
    weakSignal: weakSignalMinutes,
    quiet: 0,
  })
  const groupWindow = (column: string) => minutesByKind(column, alertRules.groupMinutes)
  await sql`
    -- Who switches off at closing time is silent all night and says nothing of our line.
    with silent as (
      select count(*) as devices, count(distinct s.place_id) as places
        from device_symptoms s left join places p on p.id = s.place_id
       where s.kind = 'offline' and s.alert_id is null and s.well_since is null and ${isOpenAt(now)}),
    -- Only where so many fell silent are the others counted.
    outage as materialized (
      select coalesce((select s.devices > ${share}::float8 * count(*)
                         from device_states d join watched_devices w on w.id = d.device_id left join places p on p.id = w.place_id
                        where d.last_seen_at is not null and ${isOpenAt(now)}), false) as is_ours
        from silent s where s.places >= ${places}),
    -- What has lasted long enough and is in no alert.
    due as materialized (
      select s.device_id, s.kind, s.merchant_id, s.place_id, s.since, s.times, s.code
        from device_symptoms s
        cross join (select time_zone from platform_settings) z
        left join places p on p.id = s.place_id
       where s.alert_id is null and s.well_since is null
         and not (s.kind = 'offline' and coalesce((select is_ours from outage), false))
         and (s.kind in ('trouble', 'quiet')
              or s.since <= ${now}::timestamptz - ${delay}
             and open_since(p.open_time, p.close_time, ${now}::timestamptz at time zone z.time_zone)
                 <= (${now}::timestamptz - ${delay}) at time zone z.time_zone)),
    -- With the alert that it takes up, having left it a while ago, or joins; null where there is none.
    homed as materialized (
      select d.*, coalesce(
             (select a.id from device_alert_devices m join device_alerts a on a.id = m.alert_id
               where m.device_id = d.device_id and m.left_at > ${now}::timestamptz - make_interval(mins => ${alertRules.reopenMinutes})
                 and a.kind = d.kind and a.merchant_id = d.merchant_id and a.place_id is not distinct from d.place_id
               order by m.left_at desc limit 1),
             (select a.id from device_alerts a
               where a.kind = d.kind and d.kind <> 'trouble' and a.place_id = d.place_id and a.merchant_id = d.merchant_id
                 and a.cleared_at is null
                 and d.since between a.began_at - ${groupWindow('d.kind')} and a.grown_at + ${groupWindow('d.kind')}
               order by a.id desc limit 1)) as home
        from due d),
    -- The others: begins is 1 where a new alert begins, 0 where one closely follows another at its place.
    parted as (
      select h.*, case when kind <> 'trouble' and place_id is not null
                        and since - lag(since) over together <= ${groupWindow('h.kind')} then 0 else 1 end as begins
        from homed h where home is null
      window together as (partition by kind, merchant_id, place_id order by since, device_id)),
    -- Those of one new alert have the same number.
    numbered as (
      select p.*, sum(begins) over (partition by kind, merchant_id, place_id order by since, device_id) as part from parted p),
    -- The new alerts.
    made as materialized (
      select nextval(pg_get_serial_sequence('device_alerts', 'id')) as id, kind, merchant_id, place_id, part, min(since) as began_at,
             max(since) as grown_at, count(*) as devices, max(times) as times, max(code) as code
        from numbered group by kind, merchant_id, place_id, part),
    raised as (
      insert into device_alerts (id, kind, merchant_id, place_id, began_at, grown_at, raised_at, devices, most_devices,
                                 place_devices, times, code)
      select m.id, kind, merchant_id, place_id, began_at, grown_at, ${now}, devices, devices, ${inUseAt('m')}, times, code from made m),
    -- Each device with its alert, whether new or not.
    placed as materialized (
      select n.device_id, n.kind, n.since, n.times, m.id as alert_id
        from numbered n join made m on m.kind = n.kind and m.merchant_id = n.merchant_id
         and m.place_id is not distinct from n.place_id and m.part = n.part
      union all
      select device_id, kind, since, times, home from homed where home is not null),
    joined as (
      insert into device_alert_devices as m (alert_id, device_id, since, times)
      select alert_id, device_id, since, times from placed
      on conflict (alert_id, device_id) do update set left_at = null, times = m.times + excluded.times
      returning m.alert_id, m.times),
    -- What comes to alerts that were there before.
    grown as (
      select h.home as alert_id, count(*) as devices, max(h.since) as grown_at, max(h.code) as code,
             (select max(j.times) from joined j where j.alert_id = h.home) as times
        from homed h where h.home is not null group by h.home),
    regrown as (
      update device_alerts a
         set devices = a.devices + g.devices, most_devices = greatest(a.most_devices, a.devices + g.devices),
             grown_at = greatest(a.grown_at, g.grown_at), times = greatest(a.times, g.times), code = g.code, cleared_at = null,
             place_devices = ${inUseAt('a')}
        from grown g where a.id = g.alert_id)
    update device_symptoms s set alert_id = p.alert_id
      from placed p where s.device_id = p.device_id and s.kind = p.kind`.execute(db)
}

/** Whether place `p` is open; who has no place always is. */
const isOpenAt = (now: Date) =>
  sql`open_since(p.open_time, p.close_time, ${now}::timestamptz at time zone (select time_zone from platform_settings)) is not null`

/** Devices in use at the place of an alert. */
const inUseAt = (alert: 'a' | 'm') =>
  sql`(select count(*) from devices d where d.place_id = ${sql.ref(`${alert}.place_id`)} and d.merchant_id = ${sql.ref(`${alert}.merchant_id`)}
        and d.bound and d.locked = 0 and d.removed_at is null)`
