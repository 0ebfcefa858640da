import type { DeviceRow } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testTimeZone,
  type TestServer,
} from '../testing/test-server.ts'
import { createDeviceListCalls } from './device-list-api.ts'
import { foldDeviceCounters } from './device-counters.ts'

/* The device list of everybody, whose pages and totals come from counters, against plain SQL. */

let server: TestServer
const tokens: Record<string, string> = {}
const agents: number[] = []
const merchants: number[] = []
const models: number[] = []

const pageSize = 30
/** No money can be taken for the last shop. */
const everybody = ['root', 'north', 'north-east', 'south', 'shop-0', 'shop-5']
const letters = ['B', 'G', 'K', 'W']
/** The same each time, and as good as chance. */
const pick = <Item>(items: readonly Item[], index: number): Item =>
  items[(index * 7919 + ((index * index) % 13)) % items.length] as Item

/** Devices of every kind there is: of nobody, unbound, without a place, locked, in any status. */
async function addDevices(from: number, count: number, owner?: number): Promise<void> {
  const devices = Array.from({ length: count }, (_, offset) => from + offset).map((index) => ({
    sid: `${pick(letters, index)}${100 + ((index * 37) % 300)}${index}`,
    model: pick(models, index),
    merchant: owner ?? (index % 9 === 0 ? null : pick(merchants, index * 3)),
    bound: index % 5 !== 0 && index % 9 !== 0,
    placed: index % 7 !== 0,
    locked: index % 11 === 0 ? 2 : index % 11 === 5 ? 1 : 0,
    status: 1 + (index % 4),
  }))
  await server.pool.query(
    `with wanted as (
       select * from jsonb_to_recordset($1)
         as w (sid text, model bigint, merchant bigint, bound boolean, placed boolean, locked smallint, status smallint)),
     added as (
       insert into devices (sid, model_id, merchant_id, bound, place_id, template_id, locked, credential_hash)
       select w.sid, w.model, w.merchant, w.bound, p.id, t.id, w.locked, ''
         from wanted w
         left join places p on p.merchant_id = w.merchant and w.placed
         left join goods_templates t on t.merchant_id = w.merchant
       returning id, sid)
     insert into device_states (device_id, status) select a.id, w.status from added a join wanted w using (sid)`,
    [JSON.stringify(devices)],
  )
}

beforeAll(async () => {
  server = await startTestServer(({ secrets }) => createDeviceListCalls(testTimeZone, secrets))
  const { pool } = server
  agents.push(await addOrganisation(server, 'agent', 'north'))
  agents.push(await addOrganisation(server, 'agent', 'north-east', agents[0]))
  agents.push(await addOrganisation(server, 'agent', 'south'))
  for (let index = 0; index < 6; index++)
    merchants.push(await addOrganisation(server, 'merchant', `shop-${index}`, agents[index % 3]))
  await pool.query(`insert into places (merchant_id, address) select unnest($1::bigint[]), 'hall'`, [
    merchants,
  ])
  await pool.query(
    `insert into goods_templates (merchant_id, name, work_mode) select unnest($1::bigint[]), 'day', 0`,
    [merchants],
  )
  for (const [model, sleeps] of [
    ['M1', false],
    ['M2', true],
    ['M3', true],
  ] as const) {
    const { rows } = await pool.query<{ id: number }>(
      'insert into device_models (model, sleep_mode) values ($1, $2) returning id',
      [model, sleeps],
    )
    models.push(rows[0]?.id ?? 0)
  }
  // Money is taken for all but the last merchant, which has a route of its own and no channel there.
  await pool.query(`insert into pay_channels (organisation_id, name, settings) values (1, 'wechatPay', '')`)
  await pool.query(`insert into pay_routers (merchant_id, router) values ($1, 'unionpay')`, [
    merchants.at(-1),
  ])
  await addDevices(1, 240)
  await addDevices(2000, 150, merchants[0])
  // Shelves are put up for thousands; a few by hand do the same for hundreds.
  await pool.query(`insert into device_shelves values (1, 'B2'), (2, 'G'), (3, 'G22'), (4, 'W')`)
  await addAccount(server, { organisationId: 1, userName: 'root', isOwner: true, tree: 'admin' })
  for (const name of everybody) tokens[name] = await server.signIn(name)
})
afterAll(() => server.stop())

interface Answer {
  sids: string[]
  total: number
}

const filters: Record<string, string>[] = [
  {},
  { status: '3' },
  { locked: '2' },
  { locked: '1' },
  { locked: '1', status: '2' },
  { modelid: 'first' },
  { sleepmode: 'true' },
  { associated: '0' },
  { associated: '1' },
  { associated: '2' },
  { status: '1', locked: '0', associated: '1' },
]

/** Of one merchant's devices these leave a thousand where there are some 1,500. */
const matchingMost: Record<string, string>[] = [{}, { locked: '0' }]

async function ask(who: string, filter: Record<string, string>, pagenum: number): Promise<Answer> {
  const query = new URLSearchParams({ ...filter, pagesize: String(pageSize), pagenum: String(pagenum) })
  if (filter['modelid']) query.set('modelid', String(models[0]))
  const { body } = await server.call<{ list: DeviceRow[]; total: number }>('GET', `/api/devices?${query}`, {
    token: tokens[who] ?? '',
  })
  return { sids: body.data.list.map(({ deviceId }) => deviceId), total: body.data.total }
}

/** The same by plain SQL, which knows no counters. */
async function readPlainly(who: string, filter: Record<string, string>): Promise<string[]> {
  const conditions = ['d.removed_at is null']
  if (who !== 'root')
    conditions.push(
      `d.merchant_id in (select m.id from organisations m join organisations a on m.path <@ a.path where a.name = '${who}')`,
    )
  if (filter['merchantid'] === '0') conditions.push('d.merchant_id is null')
  if (filter['status']) conditions.push(`s.status = ${filter['status']}`)
  // Whose a lock is, only admins tell.
  if (filter['locked'])
    conditions.push(
      who !== 'root' && filter['locked'] === '1' ? 'd.locked > 0' : `d.locked = ${filter['locked']}`,
    )
  if (filter['modelid']) conditions.push(`d.model_id = ${models[0]}`)
  if (filter['sleepmode']) conditions.push('mo.sleep_mode')
  const canSell = `d.place_id is not null and d.template_id is not null and d.merchant_id <> ${merchants.at(-1)}`
  if (filter['associated'])
    conditions.push(
      [`not d.bound`, `d.bound and ${canSell}`, `d.bound and not (${canSell})`][
        Number(filter['associated'])
      ] ?? '',
    )
  const { rows } = await server.pool.query<{ sid: string }>(
    `select d.sid from devices d join device_states s on s.device_id = d.id join device_models mo on mo.id = d.model_id
      where ${conditions.join(' and ')} order by d.sid`,
  )
  return rows.map(({ sid }) => sid)
}

/** Every page of everybody by every filter has to be what plain SQL has, and so has the total. */
async function expectExactPages(): Promise<void> {
  for (const who of everybody) {
    const own = who === 'root' ? [...filters, { merchantid: '0' }] : filters
    for (const filter of own) {
      const expected = await readPlainly(who, filter)
      const pages = Math.ceil(expected.length / pageSize)
      const found: string[] = []
      for (let page = 1; page <= pages + 1; page++) {
        const { sids, total } = await ask(who, filter, page)
        expect(total, `${who} by ${JSON.stringify(filter)}`).toBe(expected.length)
        found.push(...sids)
      }
      expect(found, `${who} by ${JSON.stringify(filter)}`).toEqual(expected)
    }
  }
}

const move = (organisation: number | undefined, to: number | undefined) =>
  server.pool.query('select lock_organisation_tree(), move_organisation($1, $2)', [organisation, to])

/** Rows of counters that are not what counting anew gives, and totals that are not those of the counters. */
async function strayCounters(): Promise<unknown[]> {
  const kept =
    'select organisation_id, shelf, model_id, status, locked, equipped, devices from device_counters where devices <> 0'
  const client = await server.pool.connect()
  try {
    await client.query('begin')
    const { rows: totals } = await client.query(`
      with summed as (
        select c.organisation_id, f.facet, f.value, c.shelf, sum(c.devices)::integer as devices
          from device_counters c left join organisations o on o.id = c.organisation_id
         cross join lateral device_facets(c.model_id, c.status, c.locked, c.equipped) f
         where o.kind is distinct from 'merchant'
         group by 1, 2, 3, 4 having sum(c.devices) <> 0)
      (table device_totals except table summed) union all (table summed except table device_totals)`)
    await client.query(`create temp table kept on commit drop as ${kept}`)
    await client.query(`create temp table shelves on commit drop as select * from device_shelves`)
    await client.query('select rebuild_device_counters()')
    // Counted anew on the shelves of before.
    await client.query('delete from device_shelves')
    await client.query('insert into device_shelves select * from shelves')
    const { rows } = await client.query(`
      with anew as (
        select scope.id as organisation_id, device_shelf(d.sid) as shelf, d.model_id, d.shown_status as status, d.locked,
               device_equipment(d.bound, d.place_id, d.template_id) as equipped, count(*)::integer as devices
          from devices d left join organisations m on m.id = d.merchant_id
         cross join lateral unnest(device_scopes(m.path)) scope (id) where d.removed_at is null group by 1, 2, 3, 4, 5, 6)
      (select * from kept except select * from anew) union all (select * from anew except select * from kept)`)
    return [...rows, ...totals]
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('pages and totals by counters', () => {
  it('are exact before anything is folded', async () => {
    await expectExactPages()
  })

  it('are exact when all is folded', async () => {
    await foldDeviceCounters(server.db)
    await expectExactPages()
    expect(await strayCounters()).toEqual([])
  })

  it('stay exact when devices change, come and go', async () => {
    const { pool } = server
    await pool.query(`update device_states set status = 1 + (device_id % 3) where device_id % 4 = 0`)
    await pool.query(`update devices set locked = 1 where id % 13 = 0`)
    await pool.query(`update devices set removed_at = now() where id % 17 = 0`)
    await pool.query(
      `update devices set merchant_id = $1, place_id = null, template_id = null where id % 19 = 0`,
      [merchants[2]],
    )
    await addDevices(1000, 30)
    await expectExactPages()
    await foldDeviceCounters(server.db)
    await expectExactPages()
    expect(await strayCounters()).toEqual([])
  })

  it('follow organisations that are moved, folded or not', async () => {
    await server.pool.query(`update devices set locked = 2 where id % 6 = 0`)
    await move(agents[1], agents[2])
    await expectExactPages()
    await foldDeviceCounters(server.db)
    await move(merchants[0], agents[1])
    await move(agents[1], agents[0])
    await expectExactPages()
    await foldDeviceCounters(server.db)
    expect(await strayCounters()).toEqual([])
  })

  it('answer whole pages with one total while devices change and counters are folded and made anew', async () => {
    const { total } = await ask('root', {}, 1)
    const answers: Answer[] = []
    await Promise.all([
      ...Array.from({ length: 60 }, (_, index) =>
        server.pool.query(`update devices set shown_status = 1 + ($1 % 4) where id % 60 = $1`, [index]),
      ),
      ...Array.from({ length: 8 }, () => server.pool.query('select fold_device_counters(20)')),
      ...Array.from({ length: 4 }, () => server.pool.query('select rebuild_device_counters()')),
      ...Array.from({ length: 20 }, async (_, index) => answers.push(await ask('root', {}, 1 + (index % 6)))),
    ])
    expect(new Set(answers.map((answer) => answer.total))).toEqual(new Set([total]))
    expect(new Set(answers.map(({ sids }) => sids.length))).toEqual(new Set([pageSize]))
  })

  it('are the same after shelves were put up anew, which happens when one is too long', async () => {
    const shelves = async () =>
      (await server.pool.query<{ count: number }>('select count(*) as count from device_shelves')).rows[0]
        ?.count
    await server.pool.query(
      `insert into devices (sid, model_id, credential_hash) select 'N' || 10000 + n, $1, '' from generate_series(1, 5001) n`,
      [models[0]],
    )
    await server.pool.query(
      `insert into device_states (device_id) select id from devices where sid like 'N1%'`,
    )
    await foldDeviceCounters(server.db)
    await server.pool.query('select keep_device_shelves()')
    expect(await shelves()).toBe(3)
    const expected = await readPlainly('root', { merchantid: '0' })
    const last = Math.ceil(expected.length / pageSize)
    expect(await ask('root', { merchantid: '0' }, last)).toEqual({
      sids: expected.slice((last - 1) * pageSize),
      total: expected.length,
    })
  })

  it('are exact past the first thousand of one merchant, where pages begin on shelves', async () => {
    await addDevices(5000, 1400, merchants[0])
    for (const fold of [false, true]) {
      if (fold) await foldDeviceCounters(server.db)
      for (const filter of matchingMost) {
        const expected = await readPlainly('shop-0', filter)
        const pages = Math.ceil(expected.length / pageSize)
        for (const page of [1, 2, Math.floor(pages / 2), pages - 1, pages, pages + 1]) {
          const { sids, total } = await ask('shop-0', filter, page)
          expect(total).toBe(expected.length)
          expect(sids, `page ${page} by ${JSON.stringify(filter)}`).toEqual(
            expected.slice((page - 1) * pageSize, page * pageSize),
          )
        }
      }
    }
  })
})
