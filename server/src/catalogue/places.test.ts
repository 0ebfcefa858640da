import { sheetType, type PlaceAssociation, type PlaceRow } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from '../testing/test-server.ts'
import { textsOf } from '../testing/test-sheets.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'

let shop: TestShop
const tokens: Record<string, string> = {}
const clerks: Record<string, number> = {}

beforeAll(async () => {
  shop = await startTestShop()
  for (const userName of ['anna', 'ben']) {
    const organisationId = shop.merchantId
    clerks[userName] = await addAccount(shop, {
      organisationId,
      userName,
      isOwner: false,
      tree: 'merchant',
    })
  }
  for (const userName of ['spa', 'gym', 'north', 'admin', 'anna'])
    tokens[userName] = await shop.signIn(userName)
})
afterAll(() => shop.stop())

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'
const as = async <Data = Record<string, unknown>>(who: string, verb: Verb, path: string, body?: object) => {
  const answer = await shop.call<Data>(verb, path, {
    token: tokens[who] ?? '',
    headers: { 'accept-language': 'en' },
    ...(body ? { body } : {}),
  })
  return answer.body
}
const fieldsOf = ({ data }: { data: unknown }) => (data as { fields: Record<string, string> }).fields
const placesOf = async (who: string) =>
  (await as<{ list: PlaceRow[]; total: number }>(who, 'GET', '/api/merchant/places?pagesize=1000')).data.list
const addPlace = async (address: string) =>
  (await as<PlaceRow>('spa', 'POST', '/api/merchant/place', { address })).data.id

describe('places', () => {
  it('are the merchant’s own, newest first, with devices and sub-accounts', async () => {
    const id = await addPlace('hall two')
    await shop.addChair('G1')
    await shop.pool.query(`update devices set place_id = $1 where sid = 'G1'`, [id])
    await as('spa', 'PUT', '/api/merchant/associate', { placeId: id, userIds: String(clerks['ben']) })
    const [first] = await placesOf('spa')
    expect(first).toMatchObject({
      id,
      address: 'hall two',
      merchantId: shop.merchantId,
      devices: ['G1'],
      deviceCount: 1,
      subName: 'ben',
      hours: 'All day',
      businessTime: { openTime: '00:00', closeTime: '00:00' },
    })
    expect(await placesOf('gym')).toEqual([])
    expect((await as('spa', 'GET', '/api/merchant/places?pagesize=1&pagenum=2')).data).toMatchObject({
      list: [{ address: 'the hall' }],
      total: 2,
    })
  })

  it('are found by a part of the address, in the Excel file too', async () => {
    await addPlace('Hall 100% West')
    const path = '/api/merchant/places?address=hall%20100%25'
    expect((await as('spa', 'GET', path)).data).toMatchObject({
      list: [{ address: 'Hall 100% West' }],
      total: 1,
    })
    const { rawPayload } = await shop.app.inject({
      url: path,
      headers: { 'x-access-token': tokens['spa'], accept: sheetType, 'accept-language': 'en' },
    })
    const [, ...rows] = await textsOf(rawPayload)
    expect(rows.map(([address]) => address)).toEqual(['Hall 100% West'])
    const words = { en: 'All day', 'zh-CN': '全天' }
    for (const [language, allDay] of Object.entries(words)) {
      const file = await shop.app.inject({
        url: path,
        headers: { 'x-access-token': tokens['spa'], accept: sheetType, 'accept-language': language },
      })
      expect((await textsOf(file.rawPayload))[1]).toContain(allDay)
    }
  })

  it.each(['north', 'admin'])('are not for %s', async (who) => {
    expect((await as(who, 'GET', '/api/merchant/places')).resultCode).toBe('103')
    expect((await as(who, 'POST', '/api/merchant/place', { address: 'x' })).resultCode).toBe('103')
  })

  it('have an address of 1 to 128 characters and a phone of at most 32', async () => {
    const add = (body: object) => as('spa', 'POST', '/api/merchant/place', body)
    expect(fieldsOf(await add({ phone: '1' }))).toEqual({ address: 'The place name is empty' })
    expect(fieldsOf(await add({ address: '  ' }))).toEqual({ address: 'The place name is empty' })
    expect(fieldsOf(await add({ address: 'x'.repeat(129), phone: '1'.repeat(33) }))).toEqual({
      address: 'At most 128 characters',
      phone: 'At most 32 characters',
    })
    const longest = { address: 'x'.repeat(128), phone: '1'.repeat(32) }
    expect((await add(longest)).data).toMatchObject(longest)
    const { body } = await shop.call('POST', '/api/merchant/place', {
      token: tokens['spa'] ?? '',
      headers: { 'accept-language': 'zh-CN' },
    })
    expect(fieldsOf(body)).toEqual({ address: '场所名称不能为空' })
  })

  it('belong to nobody but their maker', async () => {
    const body = { address: 'x', merchantid: shop.otherMerchantId }
    expect((await as('spa', 'POST', '/api/merchant/place', body)).resultCode).toBe('104')
  })

  it('keep what is not sent of them', async () => {
    const id = (await as<PlaceRow>('spa', 'POST', '/api/merchant/place', { address: 'a', phone: '7' })).data
      .id
    expect((await as('spa', 'PUT', `/api/merchant/place?id=${id}&address=b`)).data).toMatchObject({
      address: 'b',
      phone: '7',
    })
  })
})

describe('business hours', () => {
  const set = async (id: number, opens: string, closes: string, hoursId = id) =>
    as(
      'spa',
      'PUT',
      `/api/merchant/place/hours/${hoursId}?placeid=${id}&opentime=${opens}&closetime=${closes}`,
    )

  it('are set in half hours, across midnight too; the same two times mean all day', async () => {
    const id = await addPlace('hours')
    expect((await set(id, '09:30', '23:30', 0)).data).toMatchObject({ hours: '09:30–23:30' })
    expect((await set(id, '18:00', '02:00')).data).toMatchObject({
      businessTime: { id, openTime: '18:00', closeTime: '02:00' },
    })
    expect((await set(id, '10:00', '10:00')).data).toMatchObject({ hours: 'All day' })
  })

  it.each(['24:00', '09:15', '9:00', '-1', ''])('are refused at %s', async (time) => {
    const id = await addPlace('hours')
    expect(Object.keys(fieldsOf(await set(id, time, '22:00')))).toEqual(['opentime'])
  })

  it('of another place’s id are not there', async () => {
    expect((await set(await addPlace('one'), '09:00', '10:00', await addPlace('two'))).resultCode).toBe('104')
  })
})

describe('sub-accounts of a place', () => {
  const bind = (body: object) => as('spa', 'PUT', '/api/merchant/associate', body)
  const boundTo = async (placeId: number) => {
    const { data } = await as<{ list: PlaceAssociation[] }>(
      'spa',
      'GET',
      `/api/merchant/associate?pagesize=1000&placeid=${placeId}`,
    )
    return data.list.filter(({ associated }) => associated).map(({ userName }) => userName)
  }

  it('see it with their next call, and no longer when they are released', async () => {
    const id = await addPlace('seen by anna')
    const { anna = 0, ben = 0 } = clerks
    expect(await placesOf('anna')).toEqual([])
    expect((await bind({ placeId: id, userIds: [anna], oldSubs: [] })).data).toEqual({
      bound: 1,
      released: 0,
    })
    expect((await placesOf('anna')).map(({ address }) => address)).toEqual(['seen by anna'])
    expect((await bind({ placeId: id, subs: `${ben}`, oldSubs: `${anna}` })).data).toEqual({
      bound: 1,
      released: 1,
    })
    expect(await placesOf('anna')).toEqual([])
    expect(await boundTo(id)).toEqual(['ben'])
  })

  it('are not bound over a choice that somebody else made meanwhile', async () => {
    const id = await addPlace('contested')
    const { anna = 0, ben = 0 } = clerks
    await bind({ placeId: id, userIds: [anna] })
    expect((await bind({ placeId: id, userIds: [ben], oldSubs: [] })).resultCode).toBe('105')
    expect(await boundTo(id)).toEqual(['anna'])
    await bind({ placeId: id, userIds: [] })
  })

  it('are chosen in one way, and are the merchant’s', async () => {
    const id = await addPlace('whose')
    expect(Object.keys(fieldsOf(await bind({ placeId: id })))).toEqual(['userIds'])
    expect(Object.keys(fieldsOf(await bind({ placeId: id, userIds: [1, 2], subs: [1] })))).toEqual([
      'userIds',
    ])
    const stranger = await addAccount(shop, {
      organisationId: shop.otherMerchantId,
      userName: 'stranger',
      isOwner: false,
      tree: 'merchant',
    })
    expect((await bind({ placeId: id, userIds: [stranger] })).resultCode).toBe('104')
    expect(await boundTo(id)).toEqual([])
  })

  it('end up as one of many choices made at once', async () => {
    const id = await addPlace('crowded')
    const { anna = 0, ben = 0 } = clerks
    const choices = [[], [anna], [ben], [anna, ben]]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => bind({ placeId: id, userIds: choices[index % 4] ?? [] })),
    )
    expect(answers.every(({ success }) => success)).toBe(true)
    expect([[], ['anna'], ['ben'], ['anna', 'ben']]).toContainEqual(await boundTo(id))
    await bind({ placeId: id, userIds: '' })
  })
})

describe('a place that is deleted', () => {
  it('lets its devices and sub-accounts go, once; its orders stay', async () => {
    const id = await addPlace('closing down')
    await shop.addChair('G2')
    await shop.addChair('G3')
    await shop.pool.query(`update devices set place_id = $1 where sid in ('G2', 'G3')`, [id])
    await as('spa', 'PUT', '/api/merchant/associate', { placeId: id, userIds: [clerks['anna']] })
    const phone = shop.phone()
    const goodsId = await shop.addGoods({ name: 'ten minutes' })
    const { data: placed } = await phone.place('G2', goodsId)

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => as('spa', 'DELETE', `/api/merchant/place?id=${id}`)),
    )
    expect(answers.map(({ resultCode }) => resultCode).toSorted()).toEqual([
      '000',
      '104',
      '104',
      '104',
      '104',
    ])
    expect(answers.find(({ success }) => success)?.data).toEqual({ devices: 2, subAccounts: 1 })
    expect((await placesOf('spa')).map((place) => place.id)).not.toContain(id)
    expect(await placesOf('anna')).toEqual([])
    expect((await phone.page<{ state: string }>('G3')).data.state).toBe('cannotSell')
    const { rows } = await shop.pool.query('select place_id, address from orders where order_id = $1', [
      placed.order.orderId,
    ])
    expect(rows).toEqual([{ place_id: id, address: 'closing down' }])
  })

  it('is kept in the audit trail with what it was', async () => {
    const { rows } = await shop.pool.query(
      `select target, details from audit_trail where action = 'place.delete' and outcome = '000'`,
    )
    expect(rows).toMatchObject([{ target: 'closing down' }])
    expect(JSON.stringify(rows)).toContain('G3')
  })
})
