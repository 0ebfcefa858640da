import { expect, it } from 'vitest'
import { makeNetwork } from './make-network.ts'
import { makeOrders } from './made-orders.ts'
import { seededRandom } from './seeded-random.ts'

it('some of those who ask for money back leave a phone number, and some do not', () => {
  const random = seededRandom(7)
  const [from, until] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-03-01T00:00:00Z')]
  const network = makeNetwork(random, { agents: 8, merchants: 12, devices: 60, membersPerMerchant: 2 }, from)
  const orders = [...makeOrders(random, network, { orders: 2000, from, until, zoneHours: 8 })]
  const phones = orders.filter(({ refund }) => refund !== null).map(({ phone }) => phone)
  expect(phones).toContain('')
  expect(phones).toContainEqual(expect.stringMatching(/^1\d{10}$/))
})
