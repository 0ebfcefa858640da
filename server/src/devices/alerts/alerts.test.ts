import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
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
  const addPlaces = async (count: number) => {
    for (let place = 0; place < count; place++) {
      await bed.pool.query(`insert into places (merchant_id, address) values ($1, $2)`, [
        bed.ids['spa'],
        `P${place}`,
      ])
      await bed.addDevices([`B${place}0`, `B${place}1`], { place: null })
      await bed.pool.query(
        `update devices set place_id = (select id from places where address = $1) where sid like $2`,
        [`P${place}`, `B${place}_`],
      )
    }
    onTestFinished(async () => {
      await bed.clear()
      await bed.pool.query(`delete from places where address like 'P_'`)
    })
  }
  const silent = (places: number) =>
    Array.from({ length: places }, (_, place) => [`B${place}0`, `B${place}1`]).flat()

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
    await bed.pool.query(`delete from places where address like 'P_'`)
    await addPlaces(10)
    await bed.addDevices(Array.from({ length: 20 }, (_, one) => `G${one}`))
    await bed.report(silent(10), 0, { status: offline })
    await bed.lookFrom(9, 10)
    expect(await bed.open()).toHaveLength(10)
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

describe('alerts', () => {
  beforeEach(async () => {
    await bed.addDevices(['G1', 'G2'])
    await bed.addDevices(['K1'], { place: 'lounge' })
    await bed.addDevices(['N1'], { merchant: 'gym', place: 'foyer' })
    await bed.report(['G1', 'G2', 'K1', 'N1'], 0, { status: offline })
    await bed.look(10)
  })

  it.each([
    ['root', ['foyer', 'hall', 'lounge']],
    ['north', ['hall', 'lounge']],
    ['south', ['foyer']],
    ['spa', ['hall', 'lounge']],
    ['gym', ['foyer']],
    ['clerk', ['hall']],
  ])('are shown to %s within its scope', async (who, places) => {
    expect((await bed.alertsOf(who)).map(({ placeAddress }) => placeAddress).toSorted()).toEqual(places)
    const count = await bed.as(who, 'GET', '/api/alerts/count')
    expect(count.data).toEqual({ open: places.length, unseen: places.length })
  })

  it('are found by kind, device, place, merchant, agent and period', async () => {
    const found = async (query: Record<string, string | number>, who = 'root') =>
      (await bed.alertsOf(who, query)).map(({ placeAddress }) => placeAddress).toSorted()
    expect(await found({ kind: 'trouble' })).toEqual([])
    expect(await found({ deviceid: 'g2' })).toEqual(['hall'])
    expect(await found({ placeid: bed.ids['lounge'] ?? 0 })).toEqual(['lounge'])
    expect(await found({ merchantid: bed.ids['gym'] ?? 0 })).toEqual(['foyer'])
    expect(await found({ agentId: bed.ids['north'] ?? 0 })).toEqual(['hall', 'lounge'])
    expect(await found({ merchantid: bed.ids['gym'] ?? 0 }, 'north')).toEqual([])
    expect(await found({ startdate: '2026-11-18', enddate: '2026-11-18' })).toHaveLength(3)
    expect(await found({ startdate: '2026-11-19' })).toEqual([])
    const wrong = await bed.as('root', 'GET', '/api/alerts?startdate=2026-11-19&enddate=2026-11-18')
    expect(wrong).toMatchObject({ resultCode: '100', data: { fields: { startdate: expect.any(String) } } })
  })

  it('are seen by an organisation once, whoever of it says so, and not by those above it', async () => {
    const alerts = await bed.alertsOf('spa')
    const ids = alerts.map(({ id }) => id)
    const hall = alerts.find(({ placeAddress }) => placeAddress === 'hall')?.id ?? 0
    expect((await bed.as('clerk', 'PUT', '/api/alerts/seen', { ids: [hall] })).data).toEqual({ seen: 1 })
    expect((await bed.as('spa', 'PUT', '/api/alerts/seen', { ids })).data).toEqual({ seen: 1 })
    expect((await bed.as('spa', 'PUT', '/api/alerts/seen', { ids })).data).toEqual({ seen: 0 })
    const seenBy = (await bed.alertsOf('spa')).map((row) => `${row.placeAddress} ${row.seenBy}`)
    expect(seenBy.toSorted()).toEqual(['hall clerk', 'lounge spa'])
    expect((await bed.as('spa', 'GET', '/api/alerts/count')).data).toEqual({ open: 2, unseen: 0 })
    expect((await bed.as('north', 'GET', '/api/alerts/count')).data).toEqual({ open: 2, unseen: 2 })
  })

  it('of somebody else cannot be seen, not even among one’s own', async () => {
    const [theirs] = await bed.alertsOf('gym')
    const ids = [...(await bed.alertsOf('spa')).map(({ id }) => id), theirs?.id]
    expect(await bed.as('spa', 'PUT', '/api/alerts/seen', { ids })).toMatchObject({ resultCode: '104' })
    expect(await bed.as('spa', 'PUT', '/api/alerts/seen', { ids: [] })).toMatchObject({ resultCode: '105' })
    expect((await bed.as('spa', 'GET', '/api/alerts/count')).data).toEqual({ open: 2, unseen: 2 })
    expect(await bed.as('spa', 'GET', `/api/alerts/${theirs?.id}/devices`)).toMatchObject({
      resultCode: '104',
    })
  })

  it('tell nothing of what the next holder calls a device', async () => {
    await bed.pool.query(
      `update devices set merchant_id = $1, place_id = $2, name = 'renamed' where sid = 'K1'`,
      [bed.ids['gym'], bed.ids['foyer']],
    )
    await bed.look(11)
    const alerts = await bed.alertsOf('spa', { state: 'all' })
    const left = alerts.find(({ deviceId }) => deviceId === 'K1')
    expect(left).toMatchObject({ state: 'cleared', deviceName: '' })
    expect((await bed.as('spa', 'GET', `/api/alerts/${left?.id}/devices`)).data).toMatchObject({
      list: [{ deviceId: 'K1', name: '' }],
    })
    expect(alerts.find(({ deviceId }) => deviceId === '')).toMatchObject({ placeAddress: 'hall' })
  })

  it('of a muted device are over, and come again when it is heard again', async () => {
    const { rows } = await bed.pool.query<{ id: number }>(`select id from devices where sid = 'K1'`)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const mute = (who: string, body: object) =>
      bed.as(who, 'PUT', '/api/device/mute', { id: rows[0]?.id, ...body })
    expect(await mute('gym', { until })).toMatchObject({ resultCode: '104' })
    expect(await mute('spa', { until: '2020-01-01T00:00:00Z' })).toMatchObject({ resultCode: '100' })
    expect(await mute('spa', { until: '2099-01-01T00:00:00Z' })).toMatchObject({ resultCode: '100' })
    expect(await mute('spa', { until })).toMatchObject({ success: true })
    const muted = async (who: string) =>
      (await bed.as<{ list: { deviceId: string; mutedBy: string }[] }>(who, 'GET', '/api/device/mute')).data
        .list
    expect(await muted('north')).toMatchObject([{ deviceId: 'K1', mutedBy: 'spa' }])
    expect(await muted('clerk')).toEqual([])
    // Of those above oneself the organisation is told, not the person.
    expect(await mute('root', { until })).toMatchObject({ success: true })
    const { rows: platform } = await bed.pool.query<{ name: string }>(
      'select name from organisations where id = 1',
    )
    expect(platform[0]?.name).not.toBe('root')
    expect(await muted('spa')).toMatchObject([{ mutedBy: platform[0]?.name }])
    expect(await muted('root')).toMatchObject([{ mutedBy: 'root' }])
    await bed.look(11)
    expect(await bed.open()).toEqual(['offline hall 2/2'])
    expect(await mute('spa', {})).toMatchObject({ success: true })
    await bed.look(12)
    expect((await bed.open()).toSorted()).toEqual(['offline K1 ×2', 'offline hall 2/2'])
  })
})
