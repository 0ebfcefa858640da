import type pg from 'pg'
import { triedPlaces } from './chair-to-try.ts'
import type { SeededRandom } from './seeded-random.ts'

/** What has gone wrong at the time the demo begins, for its board's own reasons. */
const troubleCodes = ['E02', 'E04', 'E01', 'E06']
const weakSignals = 4
const pastAlerts = 60
const minuteMs = 60_000
const pastDays = 45
const delayMinutes: Record<string, number> = { offline: 10, weakSignal: 30 }

interface Chair {
  id: number
  merchantId: number
  placeId: number
}

/**
 * Makes a few chairs of the demo's first merchant, and of others, unwell, and writes alerts of the past weeks, which were
 * over by themselves. The present ones are left for the server to find.
 */
export async function writeAlerts(client: pg.ClientBase, random: SeededRandom, until: Date): Promise<void> {
  const { rows: chairs } = await client.query<Chair>(
    `select id::integer, merchant_id::integer as "merchantId", place_id::integer as "placeId" from devices
      where merchant_id is not null and place_id is not null and bound and locked = 0
        and place_id not in (${triedPlaces}) order by id`,
  )
  const places = [...Map.groupBy(chairs, ({ placeId }) => placeId).values()].filter(
    ({ length }) => length > 2,
  )
  const [dark] = places
  if (!dark) return
  const well = chairs.filter(({ placeId }) => placeId !== dark[0]?.placeId)
  await client.query(
    `update device_states set last_seen_at = $2, status_since = $2 where device_id = any($1::bigint[])`,
    [dark.map(({ id }) => id), new Date(until.getTime() - 40 * minuteMs)],
  )
  for (const [index, code] of troubleCodes.entries()) {
    const chair = index < 2 ? well[index * 7] : random.pick(well)
    await client.query(
      `update device_states set status = 3, signal = 4, trouble_code = $2, last_seen_at = $3, status_since = $3 where device_id = $1`,
      [chair?.id, code, new Date(until.getTime() - random.between(5, 300) * minuteMs)],
    )
  }
  for (let index = 0; index < weakSignals; index++) {
    const chair = index < 2 ? well[index * 5 + 3] : random.pick(well)
    await client.query(
      `update device_states set status = 1, signal = 1, last_seen_at = $2, status_since = $2
        where device_id = $1 and status = 2`,
      [chair?.id, new Date(until.getTime() - 60 * minuteMs)],
    )
  }
  for (let index = 0; index < pastAlerts; index++) await writePast(client, random, random.pick(places), until)
}

/** An alert that was over by itself: of a place without power, or of one chair. */
async function writePast(
  client: pg.ClientBase,
  random: SeededRandom,
  place: readonly Chair[],
  until: Date,
): Promise<void> {
  const [first] = place
  if (!first) return
  const kind = random.pick(['offline', 'offline', 'trouble', 'weakSignal'])
  const chairs = kind === 'offline' && random.chance(0.4) ? place : [random.pick(place)]
  const beganAt = new Date(until.getTime() - random.between(400, pastDays * 1440) * minuteMs)
  const raisedAt = new Date(beganAt.getTime() + (delayMinutes[kind] ?? 0) * minuteMs)
  const clearedAt = new Date(raisedAt.getTime() + random.between(6, 360) * minuteMs)
  const times = random.chance(0.2) ? random.between(2, 7) : 1
  await client.query(
    `with alert as (
       insert into device_alerts (kind, merchant_id, place_id, began_at, grown_at, raised_at, cleared_at, devices, most_devices,
                                  place_devices, times, code)
       values ($1, $2, $3, $4, $4, $5, $6, 0, $7, $8, $9, $10) returning id)
     insert into device_alert_devices (alert_id, device_id, since, left_at, times)
     select alert.id, device_id, $4, $6, $9 from alert, unnest($11::bigint[]) as device_id`,
    [
      kind,
      first.merchantId,
      first.placeId,
      beganAt,
      raisedAt,
      clearedAt,
      chairs.length,
      place.length,
      times,
      kind === 'trouble' ? random.pick(troubleCodes) : '',
      chairs.map(({ id }) => id),
    ],
  )
}
