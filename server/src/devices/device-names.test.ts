import type { DeviceRow } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestDevices, type TestDevices } from '../testing/test-devices.ts'
import { untilBlocked } from '../testing/until-blocked.ts'

/* What a device's row names of its place and templates, which stands in it (docs/decisions/0460). */

let devices: TestDevices
beforeAll(async () => {
  devices = await startTestDevices()
})
afterAll(() => devices.stop())
beforeEach(() => devices.removeAll())

async function namesOf(deviceId: string) {
  const { body } = await devices.call<{ list: DeviceRow[] }>(
    'GET',
    `/api/devices?deviceid=${deviceId}&pagesize=10&pagenum=1`,
    { token: devices.tokens['root'] ?? '' },
  )
  const [row] = body.data.list
  return [row?.placeAddress, row?.templateName, row?.sleepTemplateName]
}

/** Devices that name anything but what they have. */
async function strayNames(): Promise<unknown[]> {
  const { rows } = await devices.pool.query(`
    select d.sid, d.place_address, d.template_name, d.sleep_template_name from devices d
      left join places p on p.id = d.place_id left join goods_templates t on t.id = d.template_id
      left join goods_templates s on s.id = d.sleep_template_id
     where d.place_address is distinct from p.address or d.template_name is distinct from t.name
        or d.sleep_template_name is distinct from s.name`)
  return rows
}

const renamePlace = (id: number, address: string) =>
  devices.pool.query('update places set address = $2 where id = $1', [id, address])
const renameTemplate = (id: number, name: string) =>
  devices.pool.query('update goods_templates set name = $2 where id = $1', [id, name])

describe('a device names', () => {
  it('its place and templates, whatever they are called meanwhile', async () => {
    const { hall, lounge } = devices.places
    const { day, night } = devices.templates
    const id = await devices.have('G1', { merchant: 'spa', place: hall, template: day, sleepTemplate: night })
    expect(await namesOf('G1')).toEqual(['hall', 'day', 'night'])
    await renamePlace(hall, 'great hall')
    await renameTemplate(day, 'daytime')
    await renameTemplate(night, 'nighttime')
    expect(await namesOf('G1')).toEqual(['great hall', 'daytime', 'nighttime'])
    await devices.ask('spa', 'POST', '/api/device/place', { deviceIds: [id], placeId: lounge })
    await devices.ask('spa', 'POST', '/api/devices/template', {
      deviceIds: [id],
      templateId: day,
      sleepTemplateId: '0',
    })
    expect(await namesOf('G1')).toEqual(['lounge', 'daytime', null])
    await renamePlace(hall, 'hall')
    await renameTemplate(day, 'day')
    await renameTemplate(night, 'night')
    expect(await namesOf('G1')).toEqual(['lounge', 'day', null])
  })

  it('nothing of what it was taken from', async () => {
    const id = await devices.have('G1', {
      merchant: 'spa',
      place: devices.places.hall,
      template: devices.templates.day,
      sleepTemplate: devices.templates.night,
    })
    await devices.ask('root', 'POST', '/api/devices/move', {
      deviceIds: [id],
      merchantId: devices.organisations['gym'],
      associated: '1',
    })
    expect(await devices.rowOf(id)).toMatchObject({ merchant_id: devices.organisations['gym'] })
    expect(await namesOf('G1')).toEqual([null, null, null])
  })

  it('what it sells by day without waiting for what it sells by night, which is being renamed', async () => {
    const { day, night } = devices.templates
    const id = await devices.have('G1', { merchant: 'spa', sleepTemplate: night })
    const binding = await devices.pool.connect()
    try {
      await binding.query('begin')
      await binding.query('select from devices where id = $1 for no key update', [id])
      const renaming = renameTemplate(night, 'late')
      await untilBlocked(devices.pool)
      await binding.query('update devices set template_id = $2 where id = $1', [id, day])
      await binding.query('commit')
      await renaming
    } finally {
      binding.release()
    }
    expect(await namesOf('G1')).toEqual([null, 'day', 'late'])
    await renameTemplate(night, 'night')
  })

  it('what it has in the end, while places and templates are renamed and devices are put there', async () => {
    const { hall, lounge } = devices.places
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        devices.have(`G${index}`, { merchant: 'spa', place: hall, sleepTemplate: devices.templates.night }),
      ),
    )
    const templates = [devices.templates.day, devices.templates.noon]
    for (let round = 0; round < 12; round++) {
      const [, , , , ...answers] = await Promise.all([
        renamePlace(hall, `hall ${round}`),
        renamePlace(lounge, `lounge ${round}`),
        renameTemplate(devices.templates.day, `day ${round}`),
        renameTemplate(devices.templates.night, `night ${round}`),
        ...[0, 1, 2].map((part) =>
          devices.ask('spa', 'POST', '/api/device/place', {
            deviceIds: ids.slice(part * 4, part * 4 + 4),
            placeId: (round + part) % 2 === 0 ? hall : lounge,
          }),
        ),
        ...[0, 1].map((part) =>
          devices.ask('spa', 'POST', '/api/devices/template', {
            deviceIds: ids.slice(part * 6, part * 6 + 6),
            templateId: templates[(round + part) % 2],
          }),
        ),
      ])
      expect(answers.map(({ resultCode }) => resultCode)).toEqual(answers.map(() => '000'))
    }
    expect(await strayNames()).toEqual([])
    const { rows } = await devices.pool.query(
      'select count(*) as bound from devices where template_name is not null',
    )
    expect(rows).toEqual([{ bound: ids.length }])
  })
})
