import type { Goods, GoodsTemplate } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'

let shop: TestShop
const tokens: Record<string, string> = {}

beforeAll(async () => {
  shop = await startTestShop()
  for (const userName of ['spa', 'gym', 'north', 'admin']) tokens[userName] = await shop.signIn(userName)
})
afterAll(() => shop.stop())

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'
const as = async <Data = Record<string, unknown>>(
  who: string,
  verb: Verb,
  path: string,
  body?: object,
  language = 'en',
) => {
  const answer = await shop.call<Data>(verb, path, {
    token: tokens[who] ?? '',
    headers: { 'accept-language': language },
    ...(body ? { body } : {}),
  })
  return answer.body
}
const fieldsOf = ({ data }: { data: unknown }) => (data as { fields: Record<string, string> }).fields
const addTemplate = (body: object) => as<GoodsTemplate>('spa', 'POST', '/api/template', body)
const massage = async (name = 'day') => (await addTemplate({ name, workmode: 0 })).data.id
const addGoods = async (templateid: number, more: object = {}) =>
  as<Goods>('spa', 'POST', '/api/goods', { name: 'ten', price: 990, duration: 10, templateid, ...more })
const change = (goods: Goods, more: object) =>
  as<Goods>('spa', 'PUT', '/api/goods', {
    id: goods.id,
    name: goods.name,
    price: goods.price,
    duration: goods.duration,
    ...more,
  })
const templates = async (query = 'pagesize=1000') =>
  (await as<{ list: GoodsTemplate[] }>('spa', 'GET', `/api/goodstemplateList?${query}`)).data.list
const offeredBy = async (sid: string) =>
  (await shop.phone().page<{ goods: { name: string }[] }>(sid)).data.goods.map(({ name }) => name)

describe('goods templates', () => {
  it('come with their goods and the number of their devices, by work mode where one is asked for', async () => {
    const id = await massage('with goods')
    await addGoods(id, { name: 'low' })
    const { data: high } = await addGoods(id, { name: 'high' })
    await change(high, { queue: 9 })
    await shop.addChair('G50')
    await shop.pool.query(`update devices set template_id = $1 where sid = 'G50'`, [id])
    const night = (
      await addTemplate({
        name: 'night',
        workmode: '1',
        sleepmodestart: '22:00',
        sleepmodeend: '07:30',
        merchantId: shop.merchantId,
      })
    ).data
    expect(night).toMatchObject({
      workMode: 1,
      sleepModeStart: '22:00',
      sleepModeEnd: '07:30',
      goodsList: [],
    })
    const found = (await templates()).find((one) => one.id === id)
    expect(found).toMatchObject({ deviceCount: 1, goodsCount: 2, workMode: 0, sleepModeStart: '' })
    expect(found?.goodsList.map(({ name }) => name)).toEqual(['high', 'low'])
    expect((await templates('workmode=1')).map(({ name }) => name)).toEqual(['night'])
    expect((await templates('name=GHT')).map(({ name }) => name)).toEqual(['night'])
    expect(await templates('name=night&workmode=0')).toEqual([])
    expect((await as('gym', 'GET', '/api/goodstemplateList')).data).toEqual({ list: [], total: 0 })
  })

  it.each([
    [{}, ['name', 'workmode']],
    [{ name: 'x'.repeat(61), workmode: 0 }, ['name']],
    [{ name: 'x', workmode: 2 }, ['workmode']],
    [{ name: 'x', workmode: 1 }, ['sleepmodeend', 'sleepmodestart']],
    [{ name: 'x', workmode: 1, sleepmodestart: '22:00' }, ['sleepmodeend']],
    [{ name: 'x', workmode: 1, sleepmodestart: '25:00', sleepmodeend: '08:00' }, ['sleepmodestart']],
  ])('are refused as %j at %j', async (body, fields) => {
    expect(Object.keys(fieldsOf(await addTemplate(body))).toSorted()).toEqual(fields)
    const inChinese = await as('spa', 'POST', '/api/template', body, 'zh-CN')
    expect(Object.values(fieldsOf(inChinese)).every((words) => /\p{Script=Han}/u.test(words))).toBe(true)
  })

  it('take a name of sixty characters', async () => {
    expect((await addTemplate({ name: '名'.repeat(60), workmode: 0 })).resultCode).toBe('000')
  })

  it('keep their work mode', async () => {
    const id = await massage()
    const body = { id, name: 'new', sleepmodestart: '22:00', sleepmodeend: '08:00' }
    expect(fieldsOf(await as('spa', 'PUT', '/api/template', { ...body, workmode: 1 }))).toEqual({
      workmode: 'The work mode cannot be changed',
    })
    expect((await as('spa', 'PUT', '/api/template', body)).data).toMatchObject({
      name: 'new',
      workMode: 0,
      sleepModeStart: '',
    })
    const night = (
      await addTemplate({ name: 'n', workmode: 1, sleepmodestart: '22:00', sleepmodeend: '08:00' })
    ).data
    expect(
      Object.keys(fieldsOf(await as('spa', 'PUT', '/api/template', { id: night.id, name: 'n' }))),
    ).toEqual(['sleepmodestart'])
  })

  it('that are deleted take their goods along and leave their devices unable to sell', async () => {
    const id = await massage('doomed')
    await addGoods(id)
    await shop.addChair('G51')
    await shop.pool.query(`update devices set template_id = $1 where sid = 'G51'`, [id])
    expect((await as('spa', 'DELETE', `/api/template?id=${id}`)).data).toEqual({ devices: 1, goods: 1 })
    expect((await as('spa', 'DELETE', `/api/template?id=${id}`)).resultCode).toBe('104')
    expect((await shop.phone().page<{ state: string }>('G51')).data.state).toBe('cannotSell')
  })

  it.each(['north', 'admin'])('are not for %s', async (who) => {
    expect((await as(who, 'GET', '/api/goodstemplateList')).resultCode).toBe('103')
    expect((await as(who, 'POST', '/api/template', { name: 'x', workmode: 0 })).resultCode).toBe('103')
    expect((await as(who, 'GET', '/api/goods?id=1')).resultCode).toBe('103')
  })
})

describe('goods', () => {
  it.each([
    [{ name: '' }, ['name']],
    [{ name: 'x'.repeat(61) }, ['name']],
    [{ nameen: 'x'.repeat(61) }, ['nameen']],
    [{ price: '' }, ['price']],
    [{ price: '9.90' }, ['price']],
    [{ price: -1 }, ['price']],
    [{ price: 1_000_000_001 }, ['price']],
    [{ duration: '' }, ['duration']],
    [{ duration: '1.5' }, ['duration']],
    [{ duration: 0 }, ['duration']],
    [{ duration: 1441 }, ['duration']],
    [{ workmode: 1 }, ['workmode']],
  ])('are refused with %j at %j', async (more, fields) => {
    const id = await massage()
    expect(Object.keys(fieldsOf(await addGoods(id, more)))).toEqual(fields)
    const { body } = await shop.call<{ total: number }>('GET', `/api/goods/list?templateid=${id}`, {
      token: tokens['spa'] ?? '',
    })
    expect(body.data.total).toBe(0)
  })

  it('are changed with all their fields, at their limits', async () => {
    const { data: made } = await addGoods(await massage(), { price: 0, duration: 1440 })
    const all = {
      name: '名'.repeat(60),
      nameEn: 'n'.repeat(60),
      price: 1_000_000_000,
      duration: 1,
      queue: -1_000_000,
      freeFirst: true,
      memberOnly: true,
      timeLimit: true,
      timeStart: '2026-01-01',
      timeEnd: '2026-01-01',
      instock: 1_000_000,
    }
    expect((await change(made, all)).data).toMatchObject(all)
    expect((await as<Goods>('spa', 'GET', `/api/goods?id=${made.id}`)).data).toMatchObject({
      ...all,
      workMode: 0,
      bucketHost: '/pictures/',
      deviceCount: 0,
    })
    expect((await change(made, { instock: -700 })).data).toMatchObject({ instock: -1, queue: -1_000_000 })
  })

  it.each([
    [{ timeLimit: true }, ['timeEnd', 'timeStart']],
    [{ timeLimit: true, timeStart: '2026-01-02', timeEnd: '2026-01-01' }, ['timeEnd']],
    [{ timeLimit: true, timeStart: '2026-02-30', timeEnd: '2026-03-01' }, ['timeStart']],
    [{ queue: 'first' }, ['queue']],
    [{ instock: 1.5 }, ['instock']],
    [{ instock: 1_000_001 }, ['instock']],
    [{ workMode: 1 }, ['workMode']],
    [{ portrait: '1_1700000000000_x.jpg' }, ['portrait']],
    [{ portrait: '../../etc/passwd' }, ['portrait']],
  ])('are not changed to %j: %j', async (more, fields) => {
    const { data: made } = await addGoods(await massage())
    expect(Object.keys(fieldsOf(await change(made, { name: 'other', ...more }))).toSorted()).toEqual(fields)
    expect((await as<Goods>('spa', 'GET', `/api/goods?id=${made.id}`)).data.name).toBe('ten')
  })

  it('that are limited already are not given an end before their start', async () => {
    const { data: made } = await addGoods(await massage())
    await change(made, { timeLimit: true, timeStart: '2026-01-01', timeEnd: '2026-01-31' })
    expect(Object.keys(fieldsOf(await change(made, { timeStart: '2026-02-01' })))).toEqual(['timeEnd'])
  })

  it('keep the stock that customers left, unless it is set', async () => {
    const { data: made } = await addGoods(await massage())
    await change(made, { instock: 5 })
    await shop.pool.query('update goods set stock = 3 where id = $1', [made.id])
    expect((await change(made, { name: 'renamed' })).data).toMatchObject({ name: 'renamed', instock: 3 })
  })

  it('stand on the pay page as soon as they are saved, and leave it as soon as they are deleted', async () => {
    await shop.addChair('G52')
    const id = await massage()
    await shop.pool.query(`update devices set template_id = $1 where sid = 'G52'`, [id])
    const { data: made } = await addGoods(id)
    expect(await offeredBy('G52')).toEqual(['ten'])
    await change(made, { name: 'eleven' })
    expect(await offeredBy('G52')).toEqual(['eleven'])
    expect((await as('spa', 'DELETE', `/api/goods?id=${made.id}`)).resultCode).toBe('000')
    expect(await offeredBy('G52')).toEqual([])
    expect((await as('spa', 'DELETE', `/api/goods?id=${made.id}`)).resultCode).toBe('104')
    expect((await shop.phone().place('G52', made.id)).message).toBe('This item is not on offer now')
  })

  it('are sold as often as there are of them, however many press at once', async () => {
    const [customers, pieces] = [24, 3]
    const goodsId = await shop.addGoods({ name: 'few', stock: pieces })
    const chairs = Array.from({ length: customers }, (_, index) => `K${100 + index}`)
    for (const sid of chairs) await shop.addChair(sid)
    const answers = await Promise.all(chairs.map((sid) => shop.phone().place(sid, goodsId)))
    expect(answers.filter(({ success }) => success)).toHaveLength(pieces)
    expect(new Set(answers.flatMap(({ success, message }) => (success ? [] : [message])))).toEqual(
      new Set(['This item is sold out']),
    )
    const { rows } = await shop.pool.query('select stock from goods where id = $1', [goodsId])
    expect(rows).toEqual([{ stock: 0 }])
  })
})

describe('a place that is closed', () => {
  it('sells nothing, and says in both languages when it opens', async () => {
    await shop.addChair('G53')
    const goodsId = await shop.addGoods({ name: 'ten minutes' })
    const hour = (offset: number) => `${String((shanghaiHour() + offset + 24) % 24).padStart(2, '0')}:00`
    const [opens, closes] = [hour(2), hour(4)]
    const set = (open: string, close: string) =>
      as(
        'spa',
        'PUT',
        `/api/merchant/place/hours/0?placeid=${shop.placeId}&opentime=${open}&closetime=${close}`,
      )
    await set(opens, closes)
    const phone = shop.phone()
    expect((await phone.page('G53')).data).toMatchObject({ state: 'closedNow', opensAt: opens })
    expect(await phone.place('G53', goodsId)).toMatchObject({
      resultCode: '105',
      message: `This place is closed now. It opens at ${opens}.`,
    })
    const { body } = await shop.call('POST', '/api/pay/orders', {
      body: { deviceId: 'G53', goodsId, payWay: 'native', requestKey: 'closed' },
      headers: { 'accept-language': 'zh-CN' },
      address: '10.99.0.1',
    })
    expect(body.message).toBe(`当前不在营业时间内，${opens} 开始营业`)

    await set(hour(-1), hour(2))
    expect((await phone.page('G53')).data).toMatchObject({ state: 'ready', opensAt: '' })
    await set('00:00', '00:00')
    expect((await phone.place('G53', goodsId)).resultCode).toBe('000')
  })
})

describe('a chair that sells for the night alone', () => {
  it('says from when, while it offers nothing', async () => {
    const thisHour = shanghaiHour()
    const hour = (offset: number) => `${String((thisHour + offset + 24) % 24).padStart(2, '0')}:00`
    const { data: night } = await addTemplate({
      name: 'night',
      workmode: 1,
      sleepmodestart: hour(2),
      sleepmodeend: hour(4),
    })
    await shop.addChair('G54', night.id)
    await shop.pool.query(`update devices set template_id = $1 where sid = 'G54'`, [
      await massage('no goods'),
    ])
    const page = async () => (await shop.phone().page('G54')).data
    expect(await page()).toMatchObject({ state: 'ready', goods: [], sellsFrom: '' })
    await addGoods(night.id)
    expect(await page()).toMatchObject({ state: 'ready', goods: [], sellsFrom: hour(2) })
    await shop.pool.query('update goods_templates set sleep_start = $2 where id = $1', [night.id, hour(-1)])
    expect(await page()).toMatchObject({ goods: [{ workMode: 1 }], sellsFrom: '' })
  })
})

const shanghaiHour = () =>
  Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit', hourCycle: 'h23' }).format(
      new Date(),
    ),
  )
