import { sheetType } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { textsOf } from '../../testing/test-sheets.ts'
import { startTestAlerts, type TestAlerts } from '../../testing/test-alerts.ts'

let bed: TestAlerts
beforeAll(async () => {
  bed = await startTestAlerts()
})
beforeEach(() => bed.clear())
afterAll(() => bed.stop())

const [online, offline, trouble] = [1, 2, 3]
const chairs = ['G1', 'G2', 'G3', 'G4']

/** What is written, as one text. */
async function fingerprint(): Promise<string> {
  const { rows } = await bed.pool.query<{ mark: string }>(`
    select md5(string_agg(t, '' order by t)) as mark from (
      select s::text || s.xmin as t from device_symptoms s union all select a::text || a.xmin from device_alerts a
      union all select m::text || m.xmin from device_alert_devices m) written`)
  return rows[0]?.mark ?? ''
}

describe('a device that is offline', () => {
  beforeEach(() => bed.addDevices(['G1']))

  it('is alerted after ten minutes and no earlier', async () => {
    await bed.report('G1', 0, { status: offline })
    await bed.lookFrom(0, 9)
    expect(await bed.open()).toEqual([])
    await bed.look(10)
    expect(await bed.open()).toEqual(['offline G1'])
    expect((await bed.alertsOf('spa'))[0]).toMatchObject({
      beganTime: bed.at(0).toISOString(),
      raisedTime: bed.at(10).toISOString(),
      state: 'open',
      merchantName: 'spa',
      placeAddress: 'hall',
    })
  })

  it('is alerted once, and cleared when it has been back for five minutes', async () => {
    await bed.report('G1', 0, { status: offline })
    await bed.lookFrom(10, 60)
    await bed.report('G1', 60, { status: online })
    await bed.lookFrom(61, 65)
    expect(await bed.open()).toEqual(['offline G1'])
    await bed.look(66)
    expect(await bed.open()).toEqual([])
    const cleared = await bed.alertsOf('spa', { state: 'cleared' })
    expect(cleared).toMatchObject([
      { state: 'cleared', clearedTime: bed.at(66).toISOString(), times: 1, devices: 0 },
    ])
  })

  it('that comes and goes is one alert that counts', async () => {
    for (let minute = 0; minute < 24; minute += 4) {
      await bed.report('G1', minute, { status: offline })
      await bed.lookFrom(minute, minute + 2)
      await bed.report('G1', minute + 3, { status: online })
      await bed.look(minute + 3)
    }
    expect(await bed.open()).toEqual(['offline G1 ×6'])
    expect(await bed.alertsOf('spa', { state: 'all' })).toHaveLength(1)
  })

  it('takes up its alert again within an hour after it was cleared, and has a new one later', async () => {
    await bed.report('G1', 0, { status: offline })
    await bed.lookFrom(0, 12)
    await bed.report('G1', 12, { status: online })
    await bed.lookFrom(13, 30)
    expect(await bed.open()).toEqual([])
    await bed.report('G1', 40, { status: offline })
    await bed.lookFrom(40, 50)
    expect(await bed.open()).toEqual(['offline G1 ×2'])
    await bed.report('G1', 51, { status: online })
    await bed.lookFrom(51, 60)
    await bed.report('G1', 110, { status: offline })
    await bed.lookFrom(110, 120)
    expect(await bed.open()).toEqual(['offline G1'])
    expect(await bed.alertsOf('spa', { state: 'all' })).toHaveLength(2)
  })

  it('while its place is closed is alerted when the place has been open for ten minutes', async () => {
    await bed.pool.query(`update places set open_time = '09:00', close_time = '12:05' where address = 'hall'`)
    await bed.report('G1', 0, { status: offline })
    await bed.lookFrom(0, 30)
    const nine = 21 * 60
    await bed.look(nine + 9)
    expect(await bed.open()).toEqual([])
    await bed.look(nine + 10)
    expect(await bed.open()).toEqual(['offline G1'])
    // It stays when the place closes: nobody has mended it.
    await bed.look(nine + 10 * 60)
    expect(await bed.open()).toEqual(['offline G1'])
  })

  it('while its place is open across midnight is alerted at night', async () => {
    await bed.pool.query(`update places set open_time = '18:00', close_time = '02:00' where address = 'hall'`)
    const oneAtNight = 13 * 60
    await bed.report('G1', oneAtNight, { status: offline })
    await bed.look(oneAtNight)
    await bed.look(oneAtNight + 10)
    expect(await bed.open()).toEqual(['offline G1'])
  })

  it.each([
    ['locked', `update devices set locked = 1`],
    ['unbound', `update devices set bound = false`],
    ['removed', `update devices set removed_at = now()`],
    ['of a locked merchant', `update organisations set status = 2 where name = 'spa'`],
    ['never heard of', `update device_states set last_seen_at = null`],
  ])('but %s is waited for by nobody', async (_state, change) => {
    await bed.report('G1', 0, { status: offline })
    await bed.pool.query(change)
    await bed.lookFrom(10, 12)
    expect(await bed.open('root')).toEqual([])
  })

  it('leaves its alert when it goes to another place, and is amiss there', async () => {
    await bed.report('G1', 0, { status: offline })
    await bed.lookFrom(0, 10)
    await bed.pool.query('update devices set place_id = $1', [bed.ids['lounge']])
    await bed.lookFrom(11, 12)
    const all = await bed.alertsOf('spa', { state: 'all' })
    expect(all.map(({ placeAddress, state }) => `${placeAddress} ${state}`)).toEqual([
      'lounge open',
      'hall cleared',
    ])
  })
})

describe('a device in trouble', () => {
  it('is alerted at once with its code, stays so while it is offline, and is cleared when it is well', async () => {
    await bed.addDevices(['G1'])
    await bed.report('G1', 0, { status: trouble, code: 'E02' })
    await bed.look(0)
    expect(await bed.alertsOf('spa')).toMatchObject([{ kind: 'trouble', deviceId: 'G1', code: 'E02' }])
    await bed.report('G1', 5, { code: 'E03' })
    await bed.look(5)
    expect(await bed.alertsOf('spa')).toMatchObject([{ code: 'E03', times: 1 }])
    await bed.report('G1', 10, { status: offline })
    await bed.lookFrom(10, 20)
    expect(await bed.open()).toEqual(['offline G1', 'trouble G1'])
    await bed.report('G1', 20, { status: online, code: '' })
    await bed.lookFrom(21, 26)
    expect(await bed.open()).toEqual([])
  })

  it('is told in the words of its code, where it has any, in the sheet too', async () => {
    await bed.addDevices(['G1', 'G2'])
    await bed.report('G1', 0, { status: trouble, code: 'E02' })
    await bed.report('G2', 0, { status: trouble, code: 'X77' })
    await bed.look(0)
    const headers = { 'x-access-token': await bed.signIn('spa'), accept: sheetType }
    const { rawPayload } = await bed.app.inject({ url: '/api/alerts', headers })
    const words = (await textsOf(rawPayload)).flat()
    expect(words).toEqual(expect.arrayContaining(['E02 Overheated', 'X77']))
  })

  it('has an alert of its own, whatever others of its place have', async () => {
    await bed.addDevices(chairs)
    await bed.report(chairs, 0, { status: trouble, code: 'E01' })
    await bed.look(0)
    expect((await bed.open()).toSorted()).toEqual(chairs.map((sid) => `trouble ${sid}`))
  })
})

describe('a weak signal', () => {
  it('is alerted after half an hour of one bar, not of two, and cleared when it is better', async () => {
    await bed.addDevices(['G1', 'G2'])
    await bed.report('G1', 0, { signal: 1 })
    await bed.report('G2', 0, { signal: 2 })
    await bed.lookFrom(0, 29)
    expect(await bed.open()).toEqual([])
    await bed.look(30)
    expect(await bed.open()).toEqual(['weakSignal G1'])
    await bed.report('G1', 31, { signal: 2 })
    await bed.lookFrom(31, 36)
    expect(await bed.open()).toEqual([])
  })

  it('that wavers for moments is weak all the time', async () => {
    await bed.addDevices(['G1'])
    for (let minute = 0; minute <= 30; minute++) {
      await bed.report('G1', minute, { signal: minute % 5 === 3 ? 2 : 0 })
      await bed.look(minute)
    }
    expect(await bed.open()).toEqual(['weakSignal G1 ×7'])
  })
})

describe('devices of one place that go offline together', () => {
  beforeEach(() => bed.addDevices(chairs))

  it('are one alert, which grows, shrinks, and is cleared when all are back', async () => {
    await bed.report(['G1', 'G2'], 0, { status: offline })
    await bed.report('G3', 8, { status: offline })
    await bed.lookFrom(0, 10)
    expect(await bed.open()).toEqual(['offline hall 2/4'])
    await bed.lookFrom(11, 18)
    expect(await bed.open()).toEqual(['offline hall 3/4'])
    await bed.report(['G1', 'G2'], 20, { status: online })
    await bed.lookFrom(20, 25)
    expect(await bed.open()).toEqual(['offline hall 1/4'])
    const [alert] = await bed.alertsOf('spa')
    expect(alert).toMatchObject({ mostDevices: 3, beganTime: bed.at(0).toISOString() })
    const behind = await bed.as<{ list: { deviceId: string; overTime: string | null }[] }>(
      'spa',
      'GET',
      `/api/alerts/${alert?.id}/devices`,
    )
    expect(behind.data.list.map(({ deviceId, overTime }) => `${deviceId} ${overTime === null}`)).toEqual([
      'G3 true',
      'G1 false',
      'G2 false',
    ])
    await bed.report('G3', 30, { status: online })
    await bed.lookFrom(30, 35)
    expect(await bed.open()).toEqual([])
    expect(await bed.alertsOf('spa', { state: 'all' })).toHaveLength(1)
  })

  it('are two alerts when there is more than ten minutes between them', async () => {
    await bed.report('G1', 0, { status: offline })
    await bed.report(['G2', 'G3'], 11, { status: offline })
    await bed.look(30)
    await bed.look(31)
    expect((await bed.open()).toSorted()).toEqual(['offline G1', 'offline hall 2/4'])
  })

  it('are as many alerts as places and merchants', async () => {
    await bed.addDevices(['K1', 'K2'], { place: 'lounge' })
    await bed.addDevices(['N1', 'N2'], { merchant: 'gym', place: 'foyer' })
    await bed.addDevices(['T1', 'T2'], { place: null })
    await bed.report([...chairs, 'K1', 'K2', 'N1', 'N2', 'T1', 'T2'], 0, { status: offline })
    await bed.look(10)
    expect((await bed.open('root')).toSorted()).toEqual([
      'offline T1',
      'offline T2',
      'offline foyer 2/2',
      'offline hall 4/4',
      'offline lounge 2/2',
    ])
  })
})

describe('many places that fall silent at once', () => {
  const addPlaces = async (count: number, letter = 'B', [opens, closes]: string[] = []) => {
    for (let place = 0; place < count; place++) {
      await bed.pool.query(
        `insert into places (merchant_id, address, open_time, close_time) values ($1, $2, $3, $4)`,
        [bed.ids['spa'], `P${letter}${place}`, opens, closes],
      )
      await bed.addDevices([`${letter}${place}0`, `${letter}${place}1`], { place: null })
      await bed.pool.query(
        `update devices set place_id = (select id from places where address = $1) where sid like $2`,
        [`P${letter}${place}`, `${letter}${place}_`],
      )
    }
    onTestFinished(async () => {
      await bed.clear()
      await bed.pool.query(`delete from places where address like 'P%'`)
    })
  }
  const silent = (places: number, letter = 'B') =>
    Array.from({ length: places }, (_, place) => [`${letter}${place}0`, `${letter}${place}1`]).flat()
  const closedSinceEleven = ['09:00', '11:00']

  it('are not alerted when they are more than half of all: it is our own line', async () => {
    await addPlaces(10)
    await bed.addDevices(['G1'])
    await bed.report(silent(10), 0, { status: offline })
    await bed.lookFrom(9, 12)
    expect(await bed.open()).toEqual([])
    await bed.report(silent(6), 12, { status: online })
    await bed.lookFrom(13, 18)
    expect(await bed.open()).toHaveLength(4)
  })

  it('are alerted when they are fewer places, or half of all', async () => {
    await addPlaces(10)
    await bed.report(silent(9), 0, { status: offline })
    await bed.lookFrom(9, 10)
    expect(await bed.open()).toHaveLength(9)
    await bed.clear()
    await bed.pool.query(`delete from places where address like 'P%'`)
    await addPlaces(10)
    await bed.addDevices(Array.from({ length: 20 }, (_, one) => `G${one}`))
    await bed.report(silent(10), 0, { status: offline })
    await bed.lookFrom(9, 10)
    expect(await bed.open()).toHaveLength(10)
  })

  it('because they are closed keep no alert from those that are open', async () => {
    await addPlaces(12, 'N', closedSinceEleven)
    await bed.addDevices(chairs)
    await bed.report(silent(12, 'N'), -50, { status: offline })
    await bed.report(['G1', 'G2'], 0, { status: offline })
    await bed.lookFrom(-50, 10)
    expect(await bed.open()).toEqual(['offline hall 2/4'])
  })

  it('are not alerted either while most others are closed, and are still heard or are not', async () => {
    await addPlaces(10)
    await addPlaces(12, 'N', closedSinceEleven)
    await bed.report(silent(10), 0, { status: offline })
    await bed.lookFrom(9, 12)
    expect(await bed.open()).toEqual([])
    await bed.report(silent(12, 'N'), 13, { status: offline })
    await bed.lookFrom(13, 24)
    expect(await bed.open()).toEqual([])
  })
})

describe('the look of every minute', () => {
  it('writes nothing when nothing changed', async () => {
    await bed.addDevices(chairs)
    await bed.report(['G1', 'G2'], 0, { status: offline })
    await bed.report('G3', 0, { status: trouble, code: 'E01' })
    await bed.report('G4', 0, { signal: 0 })
    await bed.lookFrom(0, 40)
    expect(await bed.open()).toHaveLength(3)
    const before = await fingerprint()
    await bed.lookFrom(41, 50)
    expect(await fingerprint()).toBe(before)
  })

  it('raises each alert once when several processes look at the same moment, again and again', async () => {
    await bed.addDevices(chairs)
    await bed.report(chairs, 0, { status: offline })
    const looks = await Promise.all(Array.from({ length: 8 }, () => bed.look(10)))
    expect(looks).toContain(true)
    await bed.look(10)
    expect(await bed.open()).toEqual(['offline hall 4/4'])
    await bed.report(chairs, 11, { status: online })
    await Promise.all(Array.from({ length: 8 }, () => bed.look(11)))
    await Promise.all(Array.from({ length: 8 }, () => bed.look(16)))
    await bed.look(16)
    expect(await bed.open()).toEqual([])
    expect(await bed.alertsOf('spa', { state: 'all' })).toMatchObject([{ devices: 0, times: 1 }])
  })
})
