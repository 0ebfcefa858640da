import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fieldsOf, startTestDevices, type TestDevices } from '../testing/test-devices.ts'

let devices: TestDevices
beforeAll(async () => {
  devices = await startTestDevices()
})
afterAll(() => devices.stop())
beforeEach(() => devices.removeAll())

describe('moving', () => {
  const move = (who: string, merchant: string, deviceIds: number[], associated?: number) =>
    devices.ask(who, 'POST', '/api/devices/move', {
      deviceIds,
      merchantId: devices.organisations[merchant],
      ...(associated === undefined ? {} : { associated }),
    })
  const equipped = { place: undefined, merchant: 'spa' } as const

  it('to another merchant leaves place, templates and WiFi of the old one behind', async () => {
    const id = await devices.have('G100', {
      ...equipped,
      place: devices.places.hall,
      template: devices.templates.day,
      sleepTemplate: devices.templates.night,
    })
    expect((await move('north', 'bath', [id])).data).toEqual({ changed: 1, failed: [] })
    expect(await devices.rowOf(id)).toMatchObject({
      merchant_id: devices.organisations['bath'],
      place_id: null,
      template_id: null,
      sleep_template_id: null,
      wifi_ssid: '',
      wifi_password: null,
      bound: true,
    })
    expect(await devices.logOf(id)).toEqual([
      'north: Moved away from spa (spa)',
      'north: Moved to bath (bath)',
    ])
    const { rows } = await devices.pool.query(
      `select target, details from audit_trail where action = 'device.move' order by at desc limit 1`,
    )
    expect(rows[0]).toMatchObject({
      target: 'G100',
      details: {
        before: [{ merchantId: devices.organisations['spa'] }],
        after: [{ merchantId: devices.organisations['bath'] }],
      },
    })
  })

  it('to the merchant that has it changes nothing but the binding', async () => {
    const id = await devices.have('G100', {
      merchant: 'spa',
      place: devices.places.hall,
      template: devices.templates.day,
    })
    await move('north', 'spa', [id], 0)
    expect(await devices.rowOf(id)).toMatchObject({
      place_id: devices.places.hall,
      template_id: devices.templates.day,
      wifi_ssid: 'net',
      bound: false,
    })
    expect(await devices.logOf(id)).toEqual(['north: Unbound (spa)'])
  })

  it.each([
    [1, false, true],
    [0, true, false],
    [2, false, false],
    [2, true, true],
  ])('with associated %d leaves one that is bound: %s bound: %s', async (associated, before, after) => {
    const id = await devices.have('G100', { merchant: 'spa', bound: before })
    await move('root', 'gym', [id], associated)
    const row = await devices.rowOf(id)
    expect([row['bound'], row['bound_at'] !== null]).toEqual([after, after])
  })

  it('leaves a chair that runs where it is, and moves the others', async () => {
    const [running, idle] = [
      await devices.have('G1', { merchant: 'spa' }),
      await devices.have('G2', { merchant: 'spa' }),
    ]
    await devices.run(running)
    expect((await move('root', 'gym', [running, idle])).data).toEqual({
      changed: 1,
      failed: [{ id: running, deviceId: 'G1', message: 'The device is in use' }],
    })
    expect(await devices.rowOf(running)).toMatchObject({
      merchant_id: devices.organisations['spa'],
      wifi_ssid: 'net',
    })
  })

  it('is within what the caller sees: of devices and of merchants', async () => {
    const [own, theirs, nobodys] = [
      await devices.have('G1', { merchant: 'spa' }),
      await devices.have('G2', { merchant: 'gym' }),
      await devices.have('G3'),
    ]
    expect((await move('north', 'gym', [own])).resultCode).toBe('104')
    expect((await move('north', 'bath', [theirs])).resultCode).toBe('104')
    expect((await move('north', 'bath', [nobodys])).resultCode).toBe('104')
    expect((await move('north', 'bath', [own, theirs, nobodys])).data).toMatchObject({
      changed: 1,
      failed: [
        { id: theirs, deviceId: '' },
        { id: nobodys, deviceId: '' },
      ],
    })
    expect((await move('north', 'north', [own])).resultCode).toBe('105')
    expect((await move('spa', 'bath', [own])).resultCode).toBe('103')
    expect(fieldsOf(await devices.ask('root', 'POST', '/api/devices/move', { deviceIds: [own] }))).toEqual([
      'merchantId',
    ])
  })

  it('by twenty at once to and fro ends with every device at one merchant, each way in the log', async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_one, index) => devices.have(`G${index}`, { merchant: 'spa' })),
    )
    const shuffled = (turn: number) => [...ids.slice(turn), ...ids.slice(0, turn)]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_one, turn) =>
        move('root', ['spa', 'bath', 'gym'][turn % 3] ?? '', shuffled(turn)),
      ),
    )
    for (const { data } of answers) expect(data).toEqual({ changed: 30, failed: [] })
    const { rows } = await devices.pool.query<{ kept: number; counted: number }>(
      `select o.device_count as kept, count(d.id) as counted from organisations o left join devices d on d.merchant_id = o.id and d.removed_at is null
        where o.kind = 'merchant' group by o.id`,
    )
    for (const { kept, counted } of rows) expect(kept).toBe(counted)
    for (const id of ids) {
      const log = await devices.logOf(id)
      const last = log.at(-1) ?? ''
      const { merchant_id: merchantId } = await devices.rowOf(id)
      const holder = Object.entries(devices.organisations).find(([, one]) => one === merchantId)?.[0]
      if (log.length > 0) expect(last).toBe(`root: Moved to ${holder} (${holder})`)
      // It is moved away from where it was moved to.
      for (let at = 2; at < log.length; at += 2)
        expect(log[at]).toBe(log[at - 1]?.replace('Moved to', 'Moved away from'))
    }
  })
})
