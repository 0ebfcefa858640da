import { addDays, dayOfInstant, type DataOf, type reportOrderDays } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { awayFromMidnight } from '../testing/away-from-midnight.ts'
import { recordIncome, type IncomeChange } from '../money/income.ts'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testTimeZone,
  type TestServer,
} from '../testing/test-server.ts'
import { textsOf } from '../testing/test-sheets.ts'
import { createOrderDaysCalls } from './order-days-api.ts'

type Report = DataOf<typeof reportOrderDays>

let server: TestServer
const ids: Record<string, number> = {}
const tokens: Record<string, string> = {}
let hall = 0
let roof = 0

/** An instant of a platform day: Shanghai is eight hours ahead, so late evening in UTC is the next day there. */
const at = (day: string, time = '03:00') => new Date(`${day}T${time}:00Z`)

const book = (change: Partial<IncomeChange> & Pick<IncomeChange, 'at' | 'amountCents'>) =>
  recordIncome(server.db, [
    {
      merchantId: ids['spa'] ?? 0,
      placeId: hall,
      deviceId: null,
      kind: 'wechat',
      count: change.amountCents < 0 ? 0 : 1,
      ...change,
    },
  ])

async function ask(who: string, query: string) {
  const token = tokens[who] ?? ''
  return (await server.call<Report>('GET', `/api/accounting/merchantdays/day?${query}`, { token })).body
}
const report = async (who: string, query = 'datetype=5&startdate=2026-03-01&enddate=2026-03-04') =>
  (await ask(who, query)).data
const totals = ({ reportDate }: Report) => reportDate.map(({ totalIncome }) => totalIncome)

beforeAll(async () => {
  server = await startTestServer(() => createOrderDaysCalls(testTimeZone))
  ids['north'] = await addOrganisation(server, 'agent', 'north')
  ids['south'] = await addOrganisation(server, 'agent', 'south')
  ids['spa'] = await addOrganisation(server, 'merchant', 'spa', ids['north'])
  ids['gym'] = await addOrganisation(server, 'merchant', 'gym', ids['north'])
  ids['mall'] = await addOrganisation(server, 'merchant', 'mall', ids['south'])
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  const places = await server.pool.query<{ id: number }>(
    `insert into places (merchant_id, address) values ($1, 'hall'), ($1, 'roof') returning id`,
    [ids['spa']],
  )
  hall = places.rows[0]?.id ?? 0
  roof = places.rows[1]?.id ?? 0
  const clerk = { organisationId: ids['spa'], userName: 'clerk', isOwner: false, tree: 'merchant' } as const
  const clerkId = await addAccount(server, clerk)
  await addAccount(server, { ...clerk, userName: 'unbound' })
  await server.pool.query('insert into account_places values ($1, $2)', [clerkId, hall])
  for (const name of ['admin', 'north', 'south', 'spa', 'gym', 'mall', 'clerk', 'unbound'])
    tokens[name] = await server.signIn(name)

  await book({ at: at('2026-02-28', '15:59'), amountCents: 7 })
  await book({ at: at('2026-02-28', '16:00'), amountCents: 100 })
  await book({ at: at('2026-03-01'), amountCents: 20, kind: 'alipay', placeId: roof })
  await book({ at: at('2026-03-01'), amountCents: 3, kind: 'member' })
  await server.pool.query('select fold_income()')
  await book({ at: at('2026-03-03'), amountCents: 500, kind: 'recharge', placeId: null })
  await book({ at: at('2026-03-03'), amountCents: 60, kind: 'other' })
  await book({ at: at('2026-03-03'), amountCents: -100 })
  await book({ at: at('2026-03-04'), amountCents: 1, merchantId: ids['gym'] ?? 0, placeId: null })
  await book({ at: at('2026-03-04'), amountCents: 1000, merchantId: ids['mall'] ?? 0, placeId: null })
})
afterAll(() => server.stop())

describe('daily income', () => {
  it('has a row for every day, books a refund on its own day and leaves spent balances out', async () => {
    expect(await report('spa')).toEqual({
      startDate: '2026-03-01',
      endDate: '2026-03-04',
      reportDate: [
        {
          reportDate: '2026-03-01',
          qrcodePayIncome: 120,
          qrcodePayCount: 2,
          rechargeIncome: 0,
          rechargeCount: 0,
          otherIncome: 0,
          otherCount: 0,
          totalIncome: 120,
          totalCount: 2,
        },
        expect.objectContaining({ reportDate: '2026-03-02', totalIncome: 0, totalCount: 0 }),
        {
          reportDate: '2026-03-03',
          qrcodePayIncome: -100,
          qrcodePayCount: 0,
          rechargeIncome: 500,
          rechargeCount: 1,
          otherIncome: 60,
          otherCount: 1,
          totalIncome: 460,
          totalCount: 2,
        },
        expect.objectContaining({ reportDate: '2026-03-04', totalIncome: 0 }),
      ],
      total: expect.objectContaining({ qrcodePayIncome: 20, totalIncome: 580, totalCount: 4 }),
      previous: expect.objectContaining({ totalIncome: 7, totalCount: 1 }),
    })
  })

  it('shows everybody their own part, the same before and after folding', async () => {
    const expected = {
      admin: [120, 0, 460, 1001],
      north: [120, 0, 460, 1],
      south: [0, 0, 0, 1000],
      spa: [120, 0, 460, 0],
      gym: [0, 0, 0, 1],
      mall: [0, 0, 0, 1000],
      clerk: [100, 0, -40, 0],
      unbound: [0, 0, 0, 0],
    }
    const seen = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.keys(expected).map(async (who) => [who, totals(await report(who))] as const),
        ),
      )
    expect(await seen()).toEqual(expected)
    await server.pool.query('select fold_income()')
    expect((await server.pool.query('select from income_deltas')).rowCount).toBe(0)
    expect(await seen()).toEqual(expected)
  })

  it('narrows to one merchant of one’s own and to nothing for somebody else’s', async () => {
    const period = 'datetype=5&startdate=2026-03-04&enddate=2026-03-04'
    const of = async (who: string, merchant: string) =>
      totals(await report(who, `${period}&merchantid=${ids[merchant]}`))
    expect(await of('north', 'gym')).toEqual([1])
    expect(await of('admin', 'mall')).toEqual([1000])
    expect(await of('north', 'mall')).toEqual([0])
    expect(await of('gym', 'mall')).toEqual([0])
    expect(await of('clerk', 'gym')).toEqual([0])
    expect(await of('gym', 'gym')).toEqual([1])
  })

  it('stays exact while income is booked and folded at the same time', async () => {
    const day = '2026-04-01'
    const period = `datetype=5&startdate=${day}&enddate=${day}`
    const work: Promise<unknown>[] = []
    for (let turn = 0; turn < 40; turn++) {
      work.push(book({ at: at(day), amountCents: 10, merchantId: ids['gym'] ?? 0, placeId: null }))
      if (turn % 4 === 0) work.push(server.pool.query('select fold_income(7)'))
      if (turn % 5 === 0)
        work.push(report('north', period).then((seen) => expect((totals(seen)[0] ?? 1) % 10).toBe(0)))
    }
    await Promise.all(work)
    expect((await report('north', period)).total).toMatchObject({ totalIncome: 400, totalCount: 40 })
    await server.pool.query('select fold_income()')
    expect((await report('gym', period)).total).toMatchObject({ totalIncome: 400, totalCount: 40 })
  })

  it('knows yesterday, today, this week and this month by the platform’s calendar', async () => {
    await awayFromMidnight()
    const today = dayOfInstant(new Date(), testTimeZone)
    const periodOf = async (datetype: number | '') => {
      const { startDate, endDate, reportDate } = await report('gym', `datetype=${datetype}`)
      expect(reportDate.map((row) => row.reportDate)).toEqual(
        Array.from({ length: reportDate.length }, (_, index) => addDays(startDate, index)),
      )
      expect(addDays(startDate, reportDate.length - 1)).toBe(endDate)
      return [startDate, endDate]
    }
    expect(await periodOf(1)).toEqual([addDays(today, -1), addDays(today, -1)])
    expect(await periodOf(2)).toEqual([today, today])
    const [monday, sunday] = await periodOf(3)
    expect([new Date(`${monday}T00:00Z`).getUTCDay(), sunday]).toEqual([1, today])
    expect(await periodOf(4)).toEqual([`${today.slice(0, 7)}-01`, today])
    // Sent without a value, it is as if it was not sent.
    expect(await periodOf('')).toEqual([`${today.slice(0, 7)}-01`, today])
  })

  it.each([
    ['datetype=5', 'startdate', 'A start and an end date are needed'],
    ['datetype=5&startdate=2026-01-01', 'enddate', 'A start and an end date are needed'],
    ['datetype=5&startdate=2025-01-01&enddate=2026-01-02', 'enddate', 'At most 366 days'],
    // Behind the last day that can be written there is none to go on to.
    ['datetype=5&startdate=9999-12-30&enddate=9999-12-31', 'enddate', 'Not a date (YYYY-MM-DD)'],
    ['datetype=5&startdate=0000-01-01&enddate=0000-01-02', 'startdate', 'Not a date (YYYY-MM-DD)'],
  ])('refuses the period %s', async (query, field, message) => {
    expect(await ask('spa', query)).toMatchObject({
      resultCode: '100',
      data: { fields: { [field]: message } },
    })
  })

  it('takes 366 days and refuses an end before the start', async () => {
    expect(
      (await report('spa', 'datetype=5&startdate=2025-01-01&enddate=2026-01-01')).reportDate,
    ).toHaveLength(366)
    const backwards = await ask('spa', 'datetype=5&startdate=2026-01-02&enddate=2026-01-01')
    expect(backwards.resultCode).toBe('100')
  })

  it('leaves as the Excel file of the report, the newest day first as on the screen', async () => {
    const answer = await server.app.inject({
      url: '/api/accounting/merchantdays/day?datetype=5&startdate=2026-03-01&enddate=2026-03-04',
      headers: {
        'x-access-token': tokens['spa'],
        accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      },
    })
    expect(answer.headers['content-disposition']).toContain('report.xlsx')
    const days = (await textsOf(answer.rawPayload)).map(([first]) => first)
    expect(days).toEqual(['Date', '2026-03-04', '2026-03-03', '2026-03-02', '2026-03-01', 'Total · 4 rows'])
  })
})
