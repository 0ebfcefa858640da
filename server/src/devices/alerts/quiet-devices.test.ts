import type { AlertDevice } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestAlerts, type TestAlerts } from '../../testing/test-alerts.ts'
import { learnRhythms } from './rhythms-sql.ts'

let bed: TestAlerts
beforeAll(async () => {
  bed = await startTestAlerts()
  await bed.pool.query(
    `select ensure_month_partitions(t, '2026-07-01', '2026-12-01') from unnest(array['orders', 'order_history', 'device_status_history']::regclass[]) t`,
  )
})
beforeEach(async () => {
  await bed.clear()
  await bed.pool.query(`
    delete from device_status_history; delete from orders; delete from device_last_sales; delete from place_rhythms;
    update places set open_time = '10:00', close_time = '22:00' where address = 'hall'`)
  await bed.addDevices(['G1', 'G2'])
})
afterAll(() => bed.stop())

const [online, offline] = [1, 2]
const hour = 60

/** Sales every two hours from ten to eight, on each of the days before, up to noon of the present one. */
async function sellEveryTwoHours(sids: readonly string[], days = 28): Promise<void> {
  await bed.pool.query(
    `insert into orders (order_id, order_time, merchant_id, place_id, device_id, device_sid, fee_cents, status, paid_at)
     select 'KT' || d.id || to_char(t, 'YYMMDDHH24'), t, d.merchant_id, d.place_id, d.id, d.sid, 500, 3, t
       from devices d,
            generate_series($2::timestamptz - make_interval(days => $3), $2, '1 day') day, generate_series(-2, 8, 2) h,
            lateral (select day + make_interval(hours => h) as t) at
      where d.sid = any($1::text[]) and t <= $2`,
    [sids, bed.at(0), days],
  )
  await bed.pool.query('select rebuild_device_sales()')
}
async function sell(sid: string, minutes: number): Promise<void> {
  await bed.pool.query(
    `insert into device_last_sales (device_id, last_day, last_at) select id, $2::timestamptz::date, $2 from devices where sid = $1
     on conflict (device_id) do update set last_at = $2`,
    [sid, bed.at(minutes)],
  )
}
const learn = (minutes: number) => learnRhythms(bed.db, bed.at(minutes), 100)
/** From when on a device's pause is unusual, in minutes after noon. */
async function quietFrom(sid: string): Promise<number> {
  const { rows } = await bed.pool.query<{ quiet_from: Date }>(
    'select r.quiet_from from device_rhythms r join devices d on d.id = r.device_id where d.sid = $1',
    [sid],
  )
  return ((rows[0]?.quiet_from.getTime() ?? 0) - bed.at(0).getTime()) / 60_000
}

describe('a device that sells nothing for unusually long', () => {
  beforeEach(async () => {
    await sellEveryTwoHours(['G1'])
    await learn(0)
    await bed.look(0)
  })

  it('is alerted when its pause is three times as long as most, and cleared by the next sale', async () => {
    const from = await quietFrom('G1')
    // Three pauses of two hours, of which the first is the busy one.
    expect(from).toBeGreaterThan(4.5 * hour)
    expect(from).toBeLessThan(6.5 * hour)
    await bed.look(Math.floor(from))
    expect(await bed.open()).toEqual([])
    await bed.look(Math.ceil(from))
    expect(await bed.open()).toEqual(['quiet G1'])
    const [alert] = await bed.alertsOf('spa')
    const behind = await bed.as<{ list: unknown[] }>('spa', 'GET', `/api/alerts/${alert?.id}/devices`)
    expect(behind.data.list).toMatchObject([
      { deviceId: 'G1', lastSaleTime: bed.at(0).toISOString(), usualHours: expect.any(Number) },
    ])
    await sell('G1', from + 30)
    await bed.lookFrom(Math.ceil(from) + 31, Math.ceil(from) + 32)
    expect(await bed.open()).toEqual([])
  })

  it('tells its sales to who has it at that place, and to nobody else after it changed hands', async () => {
    await bed.look(Math.ceil(await quietFrom('G1')))
    const [alert] = await bed.alertsOf('spa')
    const told = async () => {
      const path = `/api/alerts/${alert?.id}/devices`
      const [device] = (await bed.as<{ list: AlertDevice[] }>('spa', 'GET', path)).data.list
      return device && { sale: device.lastSaleTime, usual: device.usualHours }
    }
    const moveTo = (merchant: string, place: string) =>
      bed.pool.query(`update devices set merchant_id = $1, place_id = $2 where sid = 'G1'`, [
        bed.ids[merchant],
        bed.ids[place],
      ])
    expect(await told()).toEqual({ sale: bed.at(0).toISOString(), usual: expect.any(Number) })
    await moveTo('gym', 'foyer')
    await sell('G1', 30)
    await bed.pool.query(`update device_rhythms set place_id = $1`, [bed.ids['foyer']])
    expect(await told()).toEqual({ sale: null, usual: null })
    await moveTo('spa', 'lounge')
    expect(await told()).toEqual({ sale: null, usual: null })
    // Back where it was: what it sold elsewhere stays there.
    await moveTo('spa', 'hall')
    expect(await told()).toMatchObject({ sale: null })
    const now = new Date()
    await bed.pool.query(`update device_last_sales set last_at = $1`, [now])
    expect(await told()).toMatchObject({ sale: now.toISOString() })
  })

  it('is not, as long as it sells: the pause is reckoned from the last sale', async () => {
    const from = await quietFrom('G1')
    await sell('G1', from - 10)
    await bed.look(Math.ceil(from))
    expect(await bed.open()).toEqual([])
    expect(await quietFrom('G1')).toBeGreaterThan(from + 5 * hour)
  })

  it('is not at night: closed hours do not count, and an alert stays through them', async () => {
    const lastOfTheDay = 8 * hour
    await sell('G1', lastOfTheDay)
    await bed.look(Math.ceil(await quietFrom('G1')))
    const from = await quietFrom('G1')
    // From eight to ten in the evening and from ten in the morning on.
    expect(from).toBeGreaterThan(22 * hour)
    await bed.lookFrom(21 * hour, 21 * hour + 2)
    expect(await bed.open()).toEqual([])
    await bed.look(Math.ceil(from))
    expect(await bed.open()).toEqual(['quiet G1'])
    await bed.lookFrom(24 * hour + 11 * hour, 24 * hour + 11 * hour + 2)
    expect(await bed.open()).toEqual(['quiet G1'])
  })

  it('is not when it was offline meanwhile, for that is another alert', async () => {
    const from = await quietFrom('G1')
    await bed.report('G1', 10, { status: offline })
    await bed.pool.query(
      `insert into device_status_history (device_id, sid, status, reported_at, ended_at)
       select id, sid, 2, $1, $2 from devices where sid = 'G1'`,
      [bed.at(10), bed.at(5 * hour)],
    )
    await bed.look(5 * hour - 1)
    await bed.report('G1', 5 * hour, { status: online })
    await bed.lookFrom(5 * hour, 5 * hour + 6)
    await bed.look(Math.ceil(from))
    expect(await bed.open()).toEqual([])
    expect(await quietFrom('G1')).toBeGreaterThan(10 * hour)
  })

  it('is not when it was locked, nor at once when it is unlocked', async () => {
    const from = Math.ceil(await quietFrom('G1'))
    await bed.pool.query(`update devices set locked = 1 where sid = 'G1'`)
    await bed.look(from)
    await bed.pool.query(`update devices set locked = 0 where sid = 'G1'`)
    await bed.look(from + 1)
    expect(await bed.open()).toEqual([])
  })

  it('of a place with others is one alert with them', async () => {
    await sellEveryTwoHours(['G2'])
    await learn(24 * hour + 1)
    await bed.lookFrom(24 * hour + 1, 24 * hour + 2)
    expect(await bed.open()).toEqual(['quiet hall 2/2'])
  })

  it('is remembered when it has sold nothing for longer than what is learned from', async () => {
    const later = 100 * 24 * hour
    await learn(later)
    await bed.lookFrom(later, later + 1)
    expect(await bed.open()).toEqual(['quiet G1'])
  })
})

describe('a device without a history of its own', () => {
  it('that sold too seldom to tell is never unusually quiet', async () => {
    await sellEveryTwoHours(['G1'], 3)
    await learn(0)
    await bed.lookFrom(7 * 24 * hour, 7 * 24 * hour + 1)
    expect(await bed.open()).toEqual([])
  })

  it('is one that came from another place', async () => {
    await sellEveryTwoHours(['G1'])
    await learn(0)
    await bed.look(0)
    await bed.pool.query(`update devices set place_id = $1 where sid = 'G1'`, [bed.ids['lounge']])
    await bed.lookFrom(7 * 24 * hour, 7 * 24 * hour + 1)
    expect(await bed.open()).toEqual([])
  })
})

describe('the last sale of a device', () => {
  it('is known to the moment when what was sold is folded into the reports', async () => {
    await bed.pool.query(
      `insert into income_deltas (merchant_id, place_id, device_id, day, kind, amount_cents, count, booked_at)
       select merchant_id, place_id, id, '2026-11-18', 'wechat', 500, 1, $1 from devices where sid = 'G1'`,
      [bed.at(3)],
    )
    await bed.pool.query('select fold_income()')
    const { rows } = await bed.pool.query('select last_day, last_at from device_last_sales')
    expect(rows).toEqual([{ last_day: '2026-11-18', last_at: bed.at(3) }])
  })
})
