import type { RefundRow } from '@chairside/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testTimeZone,
  type TestServer,
} from '../testing/test-server.ts'
import { textsOf } from '../testing/test-sheets.ts'
import { newOrderId } from './order-id.ts'
import { createRefundListCalls } from './refund-list-api.ts'

let server: TestServer
const tokens: Record<string, string> = {}
const ids: Record<string, number> = {}
const orderIds: string[] = []

async function addRefunds(placeIds: number[]): Promise<void> {
  const merchants = [ids['spa'], ids['gym'], ids['mall']]
  for (let index = 0; index < 90; index++) {
    const merchant = merchants[index % 3]
    const orderTime = new Date(Date.UTC(2026, 5, 1 + (index % 28), index % 24, 0, 0, index))
    const orderId = newOrderId('KT', orderTime)
    const placeId = merchant === ids['spa'] ? placeIds[index % 2] : null
    const status = index % 7
    orderIds.push(orderId)
    await server.pool.query(
      `insert into orders (order_id, order_time, merchant_id, place_id, device_sid, fee_cents, refunded_cents, status, pay_channel, paid_at)
       values ($1, $2, $3, $4, $5, 900, $6, 7, 'wechatPay', $2)`,
      [orderId, orderTime, merchant, placeId, `G${index % 5}`, index % 7 === 1 ? 300 : 0],
    )
    await server.pool.query(
      `insert into refunds (order_id, order_time, merchant_id, place_id, device_sid, price_cents, phone, status, created_at, created_by, content,
                            audited_at, audited_by, audit, remark)
       values ($1, $2, $3, $4, $5, 300, '13812345678', $6, $7, 'spa', 'it hurt', $8, $9, $10, 'seen on site')`,
      [
        orderId,
        orderTime,
        merchant,
        placeId,
        `G${index % 5}`,
        status,
        new Date(orderTime.getTime() + 3_600_000 * (index % 40)),
        status === 2 ? '2026-07-01T00:00:00Z' : null,
        status === 2 ? 'auditor' : '',
        status === 2 ? 0 : null,
      ],
    )
  }
}

beforeAll(async () => {
  server = await startTestServer(() => createRefundListCalls(testTimeZone))
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  ids['north'] = await addOrganisation(server, 'agent', 'north')
  ids['spa'] = await addOrganisation(server, 'merchant', 'spa', ids['north'])
  ids['gym'] = await addOrganisation(server, 'merchant', 'gym', ids['north'])
  ids['mall'] = await addOrganisation(server, 'merchant', 'mall')
  const places = await server.pool.query<{ id: number }>(
    `insert into places (merchant_id, address) values ($1, 'hall'), ($1, 'roof') returning id`,
    [ids['spa']],
  )
  const clerk = await addAccount(server, {
    organisationId: ids['spa'],
    userName: 'clerk',
    isOwner: false,
    tree: 'merchant',
  })
  await server.pool.query('insert into account_places values ($1, $2)', [clerk, places.rows[0]?.id])
  await addRefunds(places.rows.map(({ id }) => id))
  for (const name of ['admin', 'north', 'spa', 'gym', 'mall', 'clerk'])
    tokens[name] = await server.signIn(name)
})
afterAll(() => server.stop())

const within: Record<string, string> = {
  admin: 'true',
  north: `merchant_id in (select id from organisations where name in ('spa', 'gym'))`,
  spa: `merchant_id = (select id from organisations where name = 'spa')`,
  mall: `merchant_id = (select id from organisations where name = 'mall')`,
  clerk: `place_id = (select id from places where address = 'hall')`,
}
const statusesOf: Record<string, number[]> = { '1': [5], '2': [1, 2, 3, 4, 6], '3': [0] }

const list = async (who: string, query: string, language = 'en') =>
  (
    await server.call<{ list: RefundRow[]; total: number }>('GET', `/api/orders/refunds?${query}`, {
      token: tokens[who] ?? '',
      headers: { 'accept-language': language },
    })
  ).body.data

const day = fc.integer({ min: 1, max: 30 }).map((number) => `2026-06-${String(number).padStart(2, '0')}`)
const filters = fc.record(
  {
    status: fc.constantFrom('1', '2', '3'),
    devicesid: fc.constantFrom('G1', 'g4'),
    startdate: day,
    enddate: day,
    orderid: fc.nat({ max: 89 }),
  },
  { requiredKeys: [] },
)

describe('the list of refunds', () => {
  it('answers any page of any role as plain SQL would', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(within)),
        filters,
        fc.constantFrom(10, 4, 50),
        fc.integer({ min: 1, max: 5 }),
        async (who, { orderid, ...filter }, pagesize, pagenum) => {
          fc.pre(!(filter.startdate && filter.enddate && filter.startdate > filter.enddate))
          const orderId = orderid === undefined ? undefined : orderIds[orderid]
          const query = new URLSearchParams({
            ...filter,
            ...(orderId ? { orderid: orderId } : {}),
            pagesize: String(pagesize),
            pagenum: String(pagenum),
          })
          const { rows } = await server.pool.query<{ id: number }>(
            `select id from refunds where ${within[who]} and ($1::int[] is null or status = any($1)) and ($2::text is null or device_sid = $2)
                and ($3::date is null or (created_at at time zone '${testTimeZone}')::date >= $3)
                and ($4::date is null or (created_at at time zone '${testTimeZone}')::date <= $4)
                and ($5::text is null or order_id = $5) order by created_at desc, id desc`,
            [
              filter.status ? statusesOf[filter.status] : null,
              filter.devicesid?.toUpperCase() ?? null,
              filter.startdate ?? null,
              filter.enddate ?? null,
              orderId ?? null,
            ],
          )
          const answer = await list(who, String(query))
          expect(answer.total).toBe(rows.length)
          expect(answer.list.map(({ id }) => id)).toEqual(
            rows.slice((pagenum - 1) * pagesize, pagenum * pagesize).map(({ id }) => id),
          )
        },
      ),
      { numRuns: 120 },
    )
  })

  it('masks phones and tells who decided what and what is left to give back', async () => {
    const refused = await list('spa', `orderid=${orderIds[9]}`)
    expect(refused.list[0]).toMatchObject({
      phone: '138****5678',
      status: 2,
      price: 300,
      refundableCents: 900,
      merchantUserId: 'spa',
      content: 'it hurt',
      auditResult: 'auditor · 2026-07-01 08:00:00 · Refused',
      auditor: 'auditor',
      auditTime: '2026-07-01T00:00:00.000Z',
      auditDecision: '0',
    })
    const inChinese = await list('spa', `orderid=${orderIds[9]}`, 'zh-CN')
    expect(inChinese.list[0]?.auditResult).toBe('auditor · 2026-07-01 08:00:00 · 拒绝')
    expect((await list('spa', `orderid=${orderIds[15]?.toLowerCase()}`)).list[0]).toMatchObject({
      status: 1,
      refundableCents: 600,
    })
  })

  it('masks a phone that is not digits alone, too', async () => {
    const abroad = orderIds[12]
    await server.pool.query(`update refunds set phone = '+86 138-1234-5678' where order_id = $1`, [abroad])
    expect((await list('spa', `orderid=${abroad}`)).list[0]).toMatchObject({ phone: '+86****5678' })
  })

  it('shows a whole phone to who has it in reach and asks for it, and the trail knows who did', async () => {
    const [first] = (await list('spa', `orderid=${orderIds[9]}`)).list
    const reveal = async (name: string) =>
      (
        await server.call<{ phone: string }>('POST', `/api/orders/refunds/${first?.id}/reveal`, {
          token: tokens[name] ?? '',
        })
      ).body
    expect((await reveal('north')).data).toEqual({ phone: '13812345678' })
    const { rows } = await server.pool.query(
      `select user_name, target, details::text from audit_trail where action = 'custom.reveal'`,
    )
    expect(rows).toEqual([{ user_name: 'north', target: orderIds[9], details: '{}' }])
    expect((await reveal('gym')).resultCode).toBe('104')
    // The order was at the other place.
    expect((await reveal('clerk')).resultCode).toBe('104')
    const keys = (change: string) =>
      server.pool.query(`update accounts set permission_ids = ${change} where user_name = 'north'`)
    await keys('array_remove(permission_ids, 14)')
    const withoutList = await reveal('north')
    await keys('permission_ids || 14')
    expect(withoutList.resultCode).toBe('104')
  })

  it('narrows to a merchant or agent of one’s own and to nothing for somebody else’s', async () => {
    expect((await list('admin', `agentid=${ids['north']}`)).total).toBe(60)
    expect((await list('north', `merchantid=${ids['gym']}`)).total).toBe(30)
    expect((await list('north', `merchantid=${ids['mall']}`)).total).toBe(0)
    expect((await list('spa', `merchantid=${ids['gym']}`)).total).toBe(0)
    expect((await list('spa', `orderid=${orderIds[1]}`)).total).toBe(0)
  })

  it.each([
    ['en', ['Decision', 'Decided by', 'Decided at', 'Audit remark'], 'Refused'],
    ['zh-CN', ['审核结论', '审核人', '审核时间', '审核备注'], '拒绝'],
  ])('is a sheet that tells decisions in %s', async (language, titles, decision) => {
    const file = await server.app.inject({
      url: `/api/orders/refunds?orderid=${orderIds[9]}`,
      headers: {
        'x-access-token': tokens['spa'] ?? '',
        'accept-language': language,
        accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      },
    })
    const [head = [], row = []] = await textsOf(file.rawPayload)
    expect(head.slice(-4)).toEqual(titles)
    expect(row.slice(-4)).toEqual([decision, 'auditor', '2026-07-01 08:00', 'seen on site'])
  })

  it('leaves whole as a stream in the same order', async () => {
    expect(await list('admin', 'pagesize=0')).toEqual(await list('admin', 'pagesize=900'))
  })
})
