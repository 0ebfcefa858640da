import { dayOfInstant, type DataOf, type IncomeLine, type reportOrderDays } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { awayFromMidnight } from '../testing/away-from-midnight.ts'
import { createOrderSteps, type OrderSteps } from '../testing/order-steps.ts'
import { addAccount, testTimeZone } from '../testing/test-server.ts'
import { textsOf } from '../testing/test-sheets.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'

type Report = DataOf<typeof reportOrderDays>

let shop: TestShop
let steps: OrderSteps
const tokens: Record<string, string> = {}
const refundedOf: Record<string, string> = {}

const path = '/api/accounting/merchantdays/day'
const today = () => dayOfInstant(new Date(), testTimeZone)

async function ask<Data>(who: string, call: string, query: Record<string, string>): Promise<Data> {
  const token = tokens[who] ?? ''
  const { body } = await shop.call<Data>('GET', `${call}?${new URLSearchParams(query)}`, { token })
  expect(body.resultCode).toBe('000')
  return body.data
}
const linesOf = async (who: string, query: Record<string, string> = {}) =>
  (await ask<{ list: IncomeLine[] }>(who, `${path}/lines`, { day: today(), pagesize: '50', ...query })).list
const sumOf = (lines: readonly IncomeLine[]) => lines.reduce((sum, { amount }) => sum + amount, 0)

beforeAll(async () => {
  await awayFromMidnight()
  shop = await startTestShop()
  const clerk = {
    organisationId: shop.merchantId,
    userName: 'clerk',
    isOwner: false,
    tree: 'merchant',
  } as const
  const clerkId = await addAccount(shop, clerk)
  const roof = await shop.pool.query<{ id: number }>(
    `insert into places (merchant_id, address) values ($1, 'roof') returning id`,
    [shop.merchantId],
  )
  await shop.pool.query('insert into account_places values ($1, $2)', [clerkId, roof.rows[0]?.id])
  for (const who of ['admin', 'north', 'south', 'spa', 'gym', 'clerk']) tokens[who] = await shop.signIn(who)
  steps = createOrderSteps(shop, { merchant: tokens['spa'] ?? '', admin: tokens['admin'] ?? '' })

  await steps.paid()
  const inPart = await steps.finished()
  await steps.audit(await steps.apply(inPart.orderId), 1, { price: 200 })
  await vi.waitUntil(
    async () => {
      await shop.work()
      return (await shop.statusOf(inPart.orderId)) === 8
    },
    { timeout: 30_000 },
  )
  const offline = await steps.finished()
  await steps.audit(await steps.apply(offline.orderId), 2)
  Object.assign(refundedOf, { inPart: inPart.orderId, offline: offline.orderId })
  // Paid from the till, and once more at the provider, which goes back and is no income.
  const twice = await steps.placed()
  await steps.asMerchant(`/api/orders/remote/${twice.orderId}`)
  await shop.pay(twice.orderId)
  await shop.work()
  await shop.work()
  // Placed and paid before midnight: of yesterday, though it is given back today.
  const before = await steps.finished()
  await steps.audit(await steps.apply(before.orderId), 2)
  await shop.pool.query(`update orders set paid_at = paid_at - interval '1 day' where order_id = $1`, [
    before.orderId,
  ])
  await shop.pool.query(`update income_deltas set day = day - 1
     where id = (select max(id) from income_deltas where kind = 'wechat' and count = 1)`)
  // Somewhere else in the house.
  await shop.pool.query(`update devices set place_id = $1 where sid = $2`, [
    roof.rows[0]?.id,
    await addRoofChair(),
  ])
  const onTheRoof = await steps.placed({ sid: 'W1' })
  await shop.pay(onTheRoof.orderId)
})
afterAll(() => shop.stop())

async function addRoofChair(): Promise<string> {
  await shop.addChair('W1')
  return 'W1'
}

describe('the lines of a day', () => {
  it.each(['admin', 'north', 'south', 'spa', 'gym', 'clerk'])(
    'sum to each cell of the report, for %s',
    async (who) => {
      const report = await ask<Report>(who, path, { datetype: '2' })
      const [day] = report.reportDate
      const cells = {
        qrcodePay: day?.qrcodePayIncome,
        recharge: day?.rechargeIncome,
        other: day?.otherIncome,
      }
      for (const [part, cents] of Object.entries(cells)) {
        expect(sumOf(await linesOf(who, { part })), part).toBe(cents)
        expect(await ask<number>(who, `${path}/lines/sum`, { day: today(), part })).toBe(cents)
      }
      const lines = await linesOf(who)
      expect(sumOf(lines)).toBe(day?.totalIncome)
      expect(lines.filter(({ what }) => what === 'payment')).toHaveLength(day?.totalCount ?? 0)
    },
  )

  it('name each order, what was paid and what went back', async () => {
    const lines = await linesOf('spa')
    const of = (orderId: string | undefined) =>
      lines.filter((line) => line.orderId === orderId).map(({ what, amount }) => [what, amount])
    expect(of(refundedOf['inPart'])).toEqual([
      ['refund', -200],
      ['payment', 500],
    ])
    expect(of(refundedOf['offline'])).toEqual([
      ['refund', -500],
      ['payment', 500],
    ])
    expect(sumOf(lines)).not.toBe(0)
    expect((await linesOf('clerk')).map(({ deviceSid }) => deviceSid)).toEqual(['W1'])
  })

  it('come page by page, and whole as a sheet with their sum', async () => {
    const lines = await linesOf('spa')
    const pages = await Promise.all(
      lines.map(async (_, index) => (await linesOf('spa', { pagesize: '1', pagenum: String(index + 1) }))[0]),
    )
    expect(pages).toEqual(lines)
    expect(await linesOf('spa', { pagesize: '0' })).toEqual(lines)
    const file = await shop.app.inject({
      url: `${path}/lines?day=${today()}`,
      headers: {
        'x-access-token': tokens['spa'] ?? '',
        accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      },
    })
    const rows = await textsOf(file.rawPayload)
    expect(rows).toHaveLength(lines.length + 2)
    expect(Number(rows.at(-1)?.at(-1))).toBe(sumOf(lines) / 100)
  })
})
