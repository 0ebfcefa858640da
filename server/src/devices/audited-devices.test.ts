import type { AuditRow } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textsOf } from '../testing/test-sheets.ts'
import { startTestDevices, type TestDevices } from '../testing/test-devices.ts'

let devices: TestDevices
beforeAll(async () => {
  devices = await startTestDevices()
})
afterAll(() => devices.stop())

/** The changes of the newest entry that somebody sees. */
async function newest(who: string, language = 'en') {
  const { body } = await devices.call<{ list: AuditRow[] }>('GET', '/api/audit?pagesize=10', {
    token: devices.tokens[who] ?? '',
    headers: { 'accept-language': language },
  })
  return body.data.list[0]?.changes
}

describe('the audit trail of devices', () => {
  it('tells merchants, places, templates and models by name and number, in both languages', async () => {
    const { hall, lounge } = devices.places
    const { day, night } = devices.templates
    const id = await devices.have('G1', { merchant: 'spa', place: hall })
    await devices.ask('spa', 'POST', '/api/device/place', { deviceIds: [id], placeId: lounge })
    expect(await newest('spa')).toBe(`G1: Place hall (${hall}) → lounge (${lounge})`)
    expect(await newest('spa', 'zh-CN')).toBe(`G1：场所 hall（${hall}） → lounge（${lounge}）`)
    await devices.ask('spa', 'POST', '/api/devices/template', {
      deviceIds: [id],
      templateId: day,
      sleepTemplateId: night,
    })
    expect(await newest('spa')).toBe(
      `G1: Goods template — → day (${day}), Sleep template — → night (${night})`,
    )
    await devices.ask('spa', 'PUT', '/api/device', { id, name: 'chair', modelid: 2 })
    expect(await newest('spa')).toBe('Model: M1 (1) → M2 (2)')
  })

  it('still does when the place and the template were removed', async () => {
    const { hall, gone } = devices.places
    const id = await devices.have('G2', { merchant: 'spa', place: gone, template: devices.templates.gone })
    await devices.ask('spa', 'POST', '/api/device/place', { deviceIds: [id], placeId: hall })
    expect(await newest('spa')).toBe(`G2: Place gone (${gone}) → hall (${hall})`)
    await devices.ask('spa', 'POST', '/api/devices/template', {
      deviceIds: [id],
      templateId: devices.templates.day,
    })
    expect(await newest('spa')).toBe(
      `G2: Goods template gone (${devices.templates.gone}) → day (${devices.templates.day})`,
    )
  })

  it('names nobody whom the reader does not see', async () => {
    const { spa, gym } = devices.organisations
    const id = await devices.have('G3', { merchant: 'spa' })
    await devices.ask('root', 'POST', '/api/devices/move', {
      deviceIds: [id],
      merchantId: gym,
      associated: '2',
    })
    expect(await newest('root')).toBe(`G3: Merchant spa (${spa}) → gym (${gym})`)
    await devices.pool.query(
      `update audit_trail set organisation_id = $1, user_name = 'north' where id = (select max(id) from audit_trail)`,
      [devices.organisations['north']],
    )
    expect(await newest('north')).toBe(`G3: Merchant spa (${spa}) → no. ${gym}`)
  })

  it('tells times by the clock of the platform', async () => {
    const muted = [{ deviceId: 'G4', mutedUntil: '2026-11-22T16:30:00.000Z' }]
    await devices.pool.query(
      `insert into audit_trail (at, user_name, organisation_id, action, target, details)
       values (now() + interval '1 second', 'spa', $1, 'device.mute', 'G4', $2)`,
      [devices.organisations['spa'], { before: [{ deviceId: 'G4' }], after: muted }],
    )
    expect(await newest('spa')).toBe('G4: Muted until 2026-11-23 00:30:00')
    await devices.pool.query(`delete from audit_trail where action = 'device.mute'`)
  })

  it('says the same in the sheet', async () => {
    const { spa, gym } = devices.organisations
    const answer = await devices.app.inject({
      url: '/api/audit?action=device.move',
      headers: {
        'x-access-token': devices.tokens['root'] ?? '',
        'accept-language': 'zh-CN',
        accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      },
    })
    expect((await textsOf(answer.rawPayload)).flat().join()).toContain(
      `G3：商户 spa（${spa}） → gym（${gym}）`,
    )
  })
})
