import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestNotifications, type TestNotifications } from '../testing/test-notifications.ts'
import { announce, type Announcement } from './announce.ts'

let bed: TestNotifications
beforeAll(async () => {
  bed = await startTestNotifications()
})
beforeEach(() => bed.clear())
afterAll(() => bed.stop())

const refund = (orderId: string, amountCents = 1250): Announcement => ({
  cause: `refund ${orderId}`,
  merchantId: bed.ids['spa'] ?? 0,
  event: { type: 'refundApplied', told: { orderId, amountCents } },
})
const alert = (id: number, told: Record<string, unknown> = {}): Announcement => ({
  cause: `alert ${id}`,
  merchantId: bed.ids['spa'] ?? 0,
  event: {
    type: 'alertRaised',
    told: {
      kind: 'offline',
      placeId: 1,
      placeAddress: 'hall',
      deviceId: 'G1',
      deviceName: 'Window',
      devices: 1,
      placeDevices: 4,
      code: '',
      ...told,
    },
  },
})
const addresses = () => bed.sent.map(({ to }) => to.address).toSorted()

describe('what happens to a merchant', () => {
  it('is told to the merchant, its agent and the platform, and to nobody else', async () => {
    for (const who of ['spa', 'north', 'root', 'gym', 'south']) await bed.addReceiver(who, who)
    await bed.announce(refund('KT1'))
    await bed.work()
    expect(addresses()).toEqual(['at:north', 'at:root', 'at:spa'])
    expect(bed.sent[0]?.message).toMatchObject({
      title: 'Refund waiting for a decision',
      lines: ['A refund of ¥12.50 waits for a decision: order KT1 (spa)'],
      link: { url: 'https://chairs.example/refunds?orderid=KT1' },
      events: [{ type: 'refundApplied', data: { orderId: 'KT1', amountCents: 1250, merchantName: 'spa' } }],
    })
  })

  it('is told to those who want to hear of it, unless they or their receiver are closed', async () => {
    await bed.addReceiver('spa', 'alerts only', { events: 'alertRaised' })
    const off = await bed.addReceiver('north', 'off')
    const edit = { name: 'off', language: 'en', events: 'refundApplied', active: false }
    expect((await bed.as('north', 'PUT', `/api/notifications/receivers/${off}`, edit)).success).toBe(true)
    await bed.addReceiver('root', 'root')
    await bed.announce(refund('KT2'))
    await bed.work()
    expect(addresses()).toEqual(['at:root'])

    await bed.pool.query(`update organisations set status = 2 where id = $1`, [bed.ids['spa']])
    await bed.announce(alert(2))
    await bed.work()
    expect(addresses()).toEqual(['at:root', 'at:root'])
  })

  it('is told once, however often it is announced', async () => {
    await bed.addReceiver('spa', 'spa')
    await bed.announce(refund('KT3'), refund('KT3'))
    await bed.announce(refund('KT3'))
    await bed.work()
    await bed.announce(refund('KT3'))
    await bed.work()
    expect(bed.sent).toHaveLength(1)
  })

  it('is not told when its transaction fails', async () => {
    await bed.addReceiver('spa', 'spa')
    const failing = bed.db.transaction().execute(async (trx) => {
      await announce(trx, [refund('KT4')])
      throw new Error('it did not happen')
    })
    await expect(failing).rejects.toThrow('it did not happen')
    await bed.work()
    expect(bed.sent).toEqual([])
  })
})

describe('a message', () => {
  it('is one for all that came meanwhile, and leads to the list of it', async () => {
    await bed.addReceiver('spa', 'spa')
    for (let id = 1; id <= 25; id++) await bed.announce(alert(id, { deviceId: `G${id}` }))
    await bed.work()
    expect(bed.sent).toHaveLength(1)
    const [{ message } = { message: undefined }] = bed.sent
    const { title, lines = [], link } = message ?? {}
    expect(title).toBe('25 notifications')
    expect(lines).toHaveLength(21)
    expect(lines[0]).toBe('Offline: G1 · Window · hall (spa)')
    expect(lines[20]).toBe('… and 5 more')
    expect(link?.url).toBe('https://chairs.example/alerts')
  })

  it('is in the language of its receiver', async () => {
    await bed.addReceiver('spa', '群', { language: 'zh-CN' })
    await bed.announce(alert(1, { kind: 'trouble', code: 'E02' }))
    await bed.work()
    expect(bed.sent[0]?.message).toMatchObject({
      title: '产生告警',
      lines: ['故障：G1 · Window · hall · E02 温度过高（spa）'],
    })
  })

  it('of a place says how many chairs', async () => {
    await bed.addReceiver('spa', 'spa')
    await bed.announce(alert(1, { deviceId: '', deviceName: '', devices: 3 }))
    await bed.work()
    expect(bed.sent[0]?.message.lines).toEqual(['Offline: 3 of 4 devices · hall (spa)'])
  })
})

describe('a receiver that does not take a message', () => {
  it('gets it when it is back, with what came meanwhile', async () => {
    await bed.addReceiver('spa', 'spa')
    bed.answer({ outcome: 'unreachable', reason: 'there is no connection' })
    await bed.announce(refund('KT5'))
    await bed.work()
    expect(await bed.receiversOf('spa')).toMatchObject([
      { failure: 'No connection could be made', failingTime: expect.any(String), lastSentTime: null },
    ])
    await bed.announce(refund('KT6'))
    bed.answer({ outcome: 'sent' })
    await bed.work()
    expect(bed.sent.at(-1)?.message.lines).toHaveLength(2)
    expect(await bed.receiversOf('spa')).toMatchObject([
      { failure: '', failingTime: null, lastSentTime: expect.any(String) },
    ])
    await bed.work()
    expect(bed.sent).toHaveLength(2)
  })

  it('is asked less and less often, and not any more after a day', async () => {
    const id = await bed.addReceiver('spa', 'spa')
    bed.answer({ outcome: 'refused', answer: 'too many', isPassing: true })
    await bed.announce(refund('KT7'))
    const pauses: number[] = []
    for (let attempt = 0; attempt < 9; attempt++) {
      await bed.work()
      const { rows } = await bed.pool.query<{ seconds: number }>(
        `select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs where key = $1`,
        [`notify:${id}`],
      )
      pauses.push(Math.round((rows[0]?.seconds ?? 0) / 30))
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    await bed.pool.query(`update notifications set created_at = now() - interval '25 hours'`)
    await bed.work()
    expect(bed.sent).toHaveLength(9)
  })

  it('gets it at once when somebody has put its address right', async () => {
    const id = await bed.addReceiver('spa', 'spa')
    bed.answer({ outcome: 'unreachable', reason: 'the host is not found' })
    await bed.announce(refund('KT9'))
    for (let attempt = 0; attempt < 5; attempt++) await bed.work()
    const edit = { name: 'spa', language: 'en', events: 'refundApplied', active: true, address: 'at:right' }
    await bed.as('spa', 'PUT', `/api/notifications/receivers/${id}`, edit)
    const { rows } = await bed.pool.query<{ seconds: number }>(
      `select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs where key = $1`,
      [`notify:${id}`],
    )
    expect(rows[0]?.seconds).toBeLessThan(6)
    bed.answer({ outcome: 'sent' })
    await bed.work()
    expect(bed.sent.at(-1)).toMatchObject({
      to: { address: 'at:right' },
      message: { lines: [expect.stringContaining('KT9')] },
    })
  })

  it('is not sent again what it refuses for good, and the screen says why', async () => {
    await bed.addReceiver('spa', 'spa')
    bed.answer({ outcome: 'refused', answer: '93000 invalid webhook url', isPassing: false })
    await bed.announce(refund('KT8'))
    await bed.work()
    await bed.work()
    expect(bed.sent).toHaveLength(1)
    expect(await bed.receiversOf('spa')).toMatchObject([{ failure: '93000 invalid webhook url' }])
  })
})
