import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fieldsOf, startTestDevices, type TestDevices } from '../testing/test-devices.ts'
import { untilBlocked } from '../testing/until-blocked.ts'

let devices: TestDevices
beforeAll(async () => {
  devices = await startTestDevices()
})
afterAll(() => devices.stop())
beforeEach(() => devices.removeAll())

describe('putting devices at a place', () => {
  const link = (who: string, placeId: number, deviceIds: number[]) =>
    devices.ask(who, 'POST', '/api/device/place', { deviceIds, placeId })

  it('is within one’s own places', async () => {
    const [own, theirs] = [
      await devices.have('G1', { merchant: 'spa' }),
      await devices.have('G2', { merchant: 'gym' }),
    ]
    expect((await link('spa', devices.places.hall, [own, theirs])).data).toMatchObject({
      changed: 1,
      failed: [{ id: theirs }],
    })
    expect(await devices.rowOf(own)).toMatchObject({ place_id: devices.places.hall })
    expect(await devices.logOf(own)).toEqual(['spa: Linked to hall (spa)'])
    for (const [who, place] of [
      ['spa', devices.places.foyer],
      ['spa', devices.places.gone],
      ['clerk', devices.places.lounge],
    ] as const) {
      const refused = await link(who, place, [own])
      expect([refused.resultCode, ...fieldsOf(refused)]).toEqual(['104', 'placeId'])
    }
    expect((await link('root', devices.places.hall, [own])).resultCode).toBe('103')
    expect(await devices.rowOf(own)).toMatchObject({ place_id: devices.places.hall })
  })

  it('takes them by the ids of their rows and by their device ids', async () => {
    const [near, far] = [
      await devices.have('G1', { merchant: 'spa' }),
      await devices.have('G2', { merchant: 'spa' }),
    ]
    await devices.have('G3', { merchant: 'gym' })
    const { data } = await devices.ask('spa', 'POST', '/api/device/place', {
      deviceIds: `["g1", ${far}, "G3", "G4"]`,
      placeId: devices.places.hall,
    })
    expect(data).toMatchObject({ changed: 2, failed: [{ deviceId: 'G3' }, { deviceId: 'G4' }] })
    for (const id of [near, far])
      expect(await devices.rowOf(id)).toMatchObject({ place_id: devices.places.hall })
    const refused = await devices.ask('spa', 'POST', '/api/device/place', {
      deviceIds: 'X1',
      placeId: devices.places.hall,
    })
    expect([refused.resultCode, ...fieldsOf(refused)]).toEqual(['100', 'deviceIds'])
  })

  it('leaves alone what came to the merchant while it waited, which nobody holds for it', async () => {
    const own = await devices.have('G1', { merchant: 'spa' })
    const arriving = await devices.have('G2', { merchant: 'gym' })
    const mover = await devices.pool.connect()
    await mover.query('begin')
    await mover.query(
      `update devices d set merchant_id = (select merchant_id from devices where id = $1) where id = any($2)`,
      [own, [own, arriving]],
    )
    const linking = link('spa', devices.places.hall, [own, arriving])
    await untilBlocked(devices.pool)
    await mover.query('commit')
    mover.release()
    expect((await linking).data).toMatchObject({
      changed: 1,
      failed: [{ id: arriving, message: 'Not found' }],
    })
    expect(await devices.rowOf(arriving)).toMatchObject({ place_id: null })
  })
})

describe('giving devices goods', () => {
  const bind = (who: string, body: object) => devices.ask(who, 'POST', '/api/devices/template', body)

  it('sets the template, and the one for sleep when it is sent; 0 takes that away', async () => {
    const id = await devices.have('G1', { merchant: 'spa' })
    await bind('spa', {
      deviceIds: [id],
      templateId: devices.templates.day,
      sleepTemplateId: devices.templates.night,
    })
    expect(await devices.rowOf(id)).toMatchObject({
      template_id: devices.templates.day,
      sleep_template_id: devices.templates.night,
    })
    await bind('spa', { deviceIds: [id], templateId: devices.templates.day })
    expect(await devices.rowOf(id)).toMatchObject({ sleep_template_id: devices.templates.night })
    await bind('spa', { deviceIds: [id], templateId: devices.templates.day, sleepTemplateId: 0 })
    expect(await devices.rowOf(id)).toMatchObject({
      template_id: devices.templates.day,
      sleep_template_id: null,
    })
    expect(await devices.logOf(id)).toEqual([
      'spa: Sells day, and night during sleep hours (spa)',
      'spa: Sells day (spa)',
    ])
  })

  it('takes templates of the merchant and of the right kind', async () => {
    const id = await devices.have('G1', { merchant: 'spa' })
    const of = (body: object) => bind('spa', { deviceIds: [id], templateId: devices.templates.day, ...body })
    for (const [field, template] of [
      ['templateId', devices.templates.gymDay],
      ['templateId', devices.templates.gone],
      ['sleepTemplateId', devices.templates.gone],
      ['sleepTemplateId', devices.templates.gymDay],
    ] as const) {
      const refused = await of({ [field]: template })
      expect([refused.resultCode, ...fieldsOf(refused)]).toEqual(['104', field])
    }
    expect(fieldsOf(await of({ templateId: devices.templates.night }))).toEqual(['templateId'])
    expect(fieldsOf(await of({ sleepTemplateId: devices.templates.day }))).toEqual(['sleepTemplateId'])
    expect(fieldsOf(await of({ templateId: '' }))).toEqual(['templateId'])
    expect(await devices.rowOf(id)).toMatchObject({ template_id: null, sleep_template_id: null })
  })

  it('is for the devices of a sub-account’s own places', async () => {
    const [near, far] = [
      await devices.have('G1', { merchant: 'spa', place: devices.places.hall }),
      await devices.have('G2', { merchant: 'spa', place: devices.places.lounge }),
    ]
    const { data } = await bind('clerk', { deviceIds: [near, far], templateId: devices.templates.day })
    expect(data).toMatchObject({ changed: 1, failed: [{ id: far }] })
  })
})
