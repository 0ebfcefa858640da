import type { Envelope } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestShop, type PlacedAnswer, type TestShop } from '../testing/test-shop.ts'
import { mostUnpaidOfAddress } from './unpaid-of-address.ts'

let shop: TestShop
let goodsId: number
let chairs = 0
beforeAll(async () => {
  shop = await startTestShop()
  goodsId = await shop.addGoods({ name: 'ten minutes' })
})
afterAll(() => shop.stop())

async function newChair(): Promise<string> {
  const sid = `G${1000 + chairs++}`
  await shop.addChair(sid)
  return sid
}
const newChairs = async (count: number): Promise<string[]> => {
  const sids = []
  for (let index = 0; index < count; index++) sids.push(await newChair())
  return sids
}

/** A press of somebody new, whose browser keeps nothing. */
async function press(sid: string, remoteAddress: string, goods = goodsId): Promise<Envelope<PlacedAnswer>> {
  const answer = await shop.app.inject({
    method: 'POST',
    url: '/api/pay/orders',
    remoteAddress,
    payload: { deviceId: sid, goodsId: goods, payWay: 'native', requestKey: sid },
  })
  return answer.json<Envelope<PlacedAnswer>>()
}
const codesOf = (answers: readonly Envelope<unknown>[]) => answers.map(({ resultCode }) => resultCode)

/** How many answers there are of each code. */
const countsOf = (answers: readonly Envelope<unknown>[]) =>
  Object.fromEntries(
    Map.groupBy(codesOf(answers), (code) => code)
      .entries()
      .map(([code, all]) => [code, all.length]),
  )

describe('one address', () => {
  it('keeps only so many chairs without paying, however many browsers it says it is', async () => {
    const sids = await newChairs(mostUnpaidOfAddress + 4)
    const answers = await Promise.all(sids.map((sid) => press(sid, '198.51.100.7')))
    expect(countsOf(answers)).toEqual({ '000': mostUnpaidOfAddress, '107': 4 })
    const kept = sids.filter((_sid, index) => answers[index]?.resultCode === '107')
    expect(codesOf([await press(kept[0] ?? '', '203.0.113.1')])).toEqual(['000'])
    const paid = answers.find(({ resultCode }) => resultCode === '000')
    await shop.pay(paid?.data.order.orderId ?? '')
    const next = [await press(kept[1] ?? '', '198.51.100.7'), await press(kept[2] ?? '', '198.51.100.7')]
    expect(codesOf(next)).toEqual(['000', '107'])
  })

  it('may have had any number of orders that were paid, refused or cost nothing', async () => {
    const free = await shop.addGoods({ name: 'gift', priceCents: 0 })
    for (const sid of await newChairs(mostUnpaidOfAddress))
      expect(codesOf([await press(sid, '198.51.100.8', free)])).toEqual(['000'])
    const [sid = '', other = ''] = await newChairs(2)
    for (let index = 0; index < mostUnpaidOfAddress; index++)
      expect(codesOf([await press(sid, '198.51.100.8', 999_999)])).toEqual(['105'])
    expect(codesOf([await press(other, '198.51.100.8')])).toEqual(['000'])
  })
})
