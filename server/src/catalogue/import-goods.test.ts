import { goodsLimits, type ImportOutcome } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postForm } from '../testing/posted-forms.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { sheetOf } from '../testing/test-sheets.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())
beforeEach(async () => {
  await network.pool.query(`delete from goods where name not like '%-goods'`)
  await network.pool.query('delete from sheet_imports')
})

const send = (file: Buffer, fields: Record<string, string> = {}, language = 'en') =>
  postForm<ImportOutcome>(network, {
    path: '/api/goods/import',
    file,
    fields: { templateid: String(network.ours.templateId), ...fields },
    language,
    token: network.tokens.merchant,
  }).then(({ body }) => body)
const titles = ['商品名称', '英文名称', '价格（元）', '时长 (分钟)']
const goodsOf = async (templateId = network.ours.templateId) =>
  (
    await network.pool.query<{ line: string }>(
      `select concat_ws('/', name, name_en, price_cents, duration_minutes, stock, queue) as line from goods
        where template_id = $1 and name not like '%-goods' order by id`,
      [templateId],
    )
  ).rows.map(({ line }) => line)

describe('goods of a sheet', () => {
  it('are added to a template, with prices in yuan to the cent, whether typed as text or as numbers', async () => {
    const rows = [
      ['name', 'English name', ...titles.slice(2)],
      ['灯会 8 分钟', 'Lanterns', 0.29, 8],
      ['x', undefined, '1,234.50', '10'],
      ['y', undefined, 0.1 + 0.2, 10],
    ]
    const { data } = await send(await sheetOf(rows))
    expect(data).toMatchObject({ total: 3, good: 3, bad: 0 })
    expect(await goodsOf()).toEqual(['灯会 8 分钟/Lanterns/29/8/-1/0', 'x//123450/10/-1/0', 'y//30/10/-1/0'])
    const { rows: audits } = await network.pool.query(
      `select target, details from audit_trail where action = 'goods.import'`,
    )
    expect(audits).toEqual([{ target: 'T', details: { after: { imported: 3, notImported: 0 } } }])
  })

  it('are judged as goods that are added by themselves', async () => {
    const names = ['name', 'nameen', 'price', 'duration']
    const { data } = await send(
      await sheetOf([
        names,
        ['a', '', '0.295', '1.5'],
        ['b', '', '-1', '0'],
        ['c', '', '10000001', '1441'],
        ['d', 'x'.repeat(61), 'free', 'ten'],
        ['', '', '', ''],
        ['e'],
      ]),
    )
    expect(data.rows.map(({ row, fields }) => [row, fields])).toEqual([
      [2, { price: 'Not an amount with at most two decimals', duration: 'Not a whole number' }],
      [3, { price: 'At least ¥0.00', duration: 'At least 1' }],
      [4, { price: 'At most ¥10,000,000.00', duration: 'At most 1440' }],
      [
        5,
        {
          nameen: 'At most 60 characters',
          price: 'Not an amount with at most two decimals',
          duration: 'Not a number',
        },
      ],
      [7, { price: 'Required', duration: 'Required' }],
    ])
    expect(await goodsOf()).toEqual([])
  })

  it('fill a template as far as it has room, and say of the others why not', async () => {
    await network.pool.query(
      `insert into goods (template_id, merchant_id, name, price_cents, duration_minutes)
       select $1, merchant_id, 'there ' || n, 1, 1 from goods_templates, generate_series(1, $2::integer) n where id = $1`,
      [network.ours.templateId, goodsLimits.perTemplate - 2],
    )
    const before = await goodsOf()
    const file = await sheetOf([
      ['name', 'price', 'duration'],
      ...['a', 'b', 'c'].map((name) => [name, 1, 1]),
    ])
    const message =
      'A template holds at most 100 goods. Delete what is no longer sold, or use another template.'
    for (const dryrun of ['true', 'false']) {
      const { data } = await send(file, { dryrun })
      expect(data).toMatchObject({ good: 1, bad: 2 })
      expect(data.rows.map(({ row, fields }) => [row, fields])).toEqual([
        [3, { name: message }],
        [4, { name: message }],
      ])
    }
    expect(await goodsOf()).toHaveLength(before.length + 1)
    const more = { name: 'd', price: 1, duration: 1, templateid: network.ours.templateId }
    const refused = await network.call('POST', '/api/goods', { token: network.tokens.merchant, body: more })
    expect(refused.body).toMatchObject({ resultCode: '105', message })
  })

  it('go to no template of somebody else’s, nor to one that is gone', async () => {
    const file = await sheetOf([
      ['name', 'price', 'duration'],
      ['a', 1, 1],
    ])
    for (const templateid of [String(network.theirs.templateId), '999999'])
      expect((await send(file, { templateid })).resultCode).toBe('104')
    expect((await send(file, { templateid: 'x' })).resultCode).toBe('100')
    expect(await goodsOf(network.theirs.templateId)).toEqual([])
  })

  it('may go to another template of one’s own, but to the same one once, by twenty at once', async () => {
    const file = await sheetOf([
      ['name', 'price', 'duration'],
      ['a', 1, 1],
    ])
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(file)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.find(({ success }) => !success)?.message).toContain('our-merchant: 1')
    expect(await goodsOf()).toHaveLength(1)
    const { body } = await network.call<{ id: number }>('POST', '/api/template', {
      token: network.tokens.merchant,
      body: { name: 'Other', workmode: '0' },
    })
    expect((await send(file, { templateid: String(body.data.id) })).data.good).toBe(1)
  })
})
