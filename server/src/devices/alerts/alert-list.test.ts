import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestAlerts, type TestAlerts } from '../../testing/test-alerts.ts'

let bed: TestAlerts
beforeAll(async () => {
  bed = await startTestAlerts()
})
beforeEach(() => bed.clear())
afterAll(() => bed.stop())

const offline = 2

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
