import type { DataOf, listDeviceStatus } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addOrganisation, startTestServer, testTimeZone, type TestServer } from '../testing/test-server.ts'
import { foldDeviceCounters } from './device-counters.ts'
import { createDeviceListCalls } from './device-list-api.ts'

/* A merchant's online history, whose pages are found by the days it is counted by, against plain SQL. */

type StatusRow = DataOf<typeof listDeviceStatus>['list'][number]

const pageSize = 30
let server: TestServer
let token: string
let merchantId: number

/** A change every 97 minutes from the first of March 2026 on, two of them at the same moment now and then. */
const addChanges = (from: number, count: number) =>
  server.pool.query(
    `insert into device_status_history (device_id, merchant_id, sid, status, reported_at, ended_at, host_name)
     select 1 + n % 5, $1, 'G' || 1 + n % 5, 1 + n % 4, '2026-02-28T16:00:00Z'::timestamptz + (n - n % 3 % 2) * interval '97 minutes',
            '2026-05-01', 'gateway-' || n from generate_series($2::integer, $3::integer) n`,
    [merchantId, from, from + count - 1],
  )

beforeAll(async () => {
  server = await startTestServer(({ secrets }) => createDeviceListCalls(testTimeZone, secrets))
  merchantId = await addOrganisation(server, 'merchant', 'spa')
  const other = await addOrganisation(server, 'merchant', 'gym')
  token = await server.signIn('spa')
  await server.pool.query(
    `select ensure_month_partitions('device_status_history', '2026-02-01', '2026-04-30')`,
  )
  await addChanges(0, 400)
  await server.pool.query(
    `insert into device_status_history (device_id, merchant_id, sid, status, reported_at) select 9, $1, 'K1', 1, '2026-03-05' from generate_series(1, 50)`,
    [other],
  )
})
afterAll(() => server.stop())

async function ask(
  days: Record<string, string>,
  pagenum: number,
): Promise<{ hosts: string[]; total: number }> {
  const query = new URLSearchParams({ ...days, pagesize: String(pageSize), pagenum: String(pagenum) })
  const { body } = await server.call<{ list: StatusRow[]; total: number }>(
    'GET',
    `/api/device/status?${query}`,
    { token },
  )
  return { hosts: body.data.list.map(({ hostName }) => hostName), total: body.data.total }
}

async function readPlainly({ startdate = '2026-01-01', enddate = '2026-12-31' }): Promise<string[]> {
  const { rows } = await server.pool.query<{ host: string }>(
    `select host_name as host from device_status_history where merchant_id = $1
        and (reported_at at time zone $2)::date between $3 and $4 order by reported_at desc, device_id`,
    [merchantId, testTimeZone, startdate, enddate],
  )
  return rows.map(({ host }) => host)
}

async function expectExactPages(days: { startdate?: string; enddate?: string }): Promise<void> {
  const expected = await readPlainly(days)
  const found: string[] = []
  for (let page = 1; page <= Math.ceil(expected.length / pageSize) + 1; page++) {
    const { hosts, total } = await ask(days, page)
    expect(total).toBe(expected.length)
    found.push(...hosts)
  }
  expect(found).toEqual(expected)
}

const periods = [
  {},
  { startdate: '2026-03-10' },
  { enddate: '2026-03-09' },
  { startdate: '2026-03-04', enddate: '2026-03-04' },
  { startdate: '2026-02-01', enddate: '2026-02-27' },
]

describe('pages of the online history by days', () => {
  it.each(periods)('are exact before anything is folded: %j', expectExactPages)

  it.each(periods)('are exact when some is folded and some is not: %j', async (days) => {
    await foldDeviceCounters(server.db)
    await addChanges(200, 20)
    await server.pool.query(
      `delete from device_status_history where host_name in ('gateway-3', 'gateway-210')`,
    )
    await expectExactPages(days)
    await foldDeviceCounters(server.db)
    await expectExactPages(days)
  })

  it.each(['0000-01-01', '9999-12-31', '2026-02-30'])(
    'of a day that there is not (%s) are refused',
    async (startdate) => {
      const { body } = await server.call<{ fields: Record<string, string> }>(
        'GET',
        `/api/device/status?startdate=${startdate}`,
        { token },
      )
      expect([body.resultCode, Object.keys(body.data.fields)]).toEqual(['100', ['startdate']])
    },
  )

  it('are the same when all is counted anew, as in another time zone', async () => {
    await server.pool.query('select rebuild_device_status_days()')
    await expectExactPages({})
    const days = async () =>
      (await server.pool.query('select day, changes from device_status_days order by 1')).rows
    const here = await days()
    await server.pool.query(`update platform_settings set time_zone = 'America/New_York'`)
    expect(await days()).not.toEqual(here)
    await server.pool.query(`update platform_settings set time_zone = '${testTimeZone}'`)
    expect(await days()).toEqual(here)
  })
})
