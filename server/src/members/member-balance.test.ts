import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitReturn, splitSpend } from './member-balance.ts'

const cents = fc.nat({ max: 100_000 })

it('spends what was paid in before what was given', () => {
  expect(splitSpend({ cashCents: 300, giftCents: 200 }, 300)).toEqual({ cashCents: 300, giftCents: 0 })
  expect(splitSpend({ cashCents: 300, giftCents: 200 }, 301)).toEqual({ cashCents: 300, giftCents: 1 })
  expect(splitSpend({ cashCents: 300, giftCents: 200 }, 500)).toEqual({ cashCents: 300, giftCents: 200 })
  expect(splitSpend({ cashCents: 300, giftCents: 200 }, 501)).toBeUndefined()
})

it('returns a part as if the price had been lower', () => {
  fc.assert(
    fc.property(cents, cents, cents, cents, (cashCents, giftCents, price, back) => {
      const balance = { cashCents, giftCents }
      const spent = splitSpend(balance, price)
      fc.pre(spent !== undefined && back <= price)
      const returned = splitReturn(spent, 0, back)
      const lower = splitSpend(balance, price - back)
      expect({
        cashCents: spent.cashCents - returned.cashCents,
        giftCents: spent.giftCents - returned.giftCents,
      }).toEqual(lower)
    }),
  )
})

it('returns in steps what it returns at once, and never a gift as cash', () => {
  fc.assert(
    fc.property(cents, cents, cents, cents, (cashCents, giftCents, first, second) => {
      const spent = { cashCents, giftCents }
      fc.pre(first + second <= cashCents + giftCents)
      const [one, two] = [splitReturn(spent, 0, first), splitReturn(spent, first, second)]
      expect({
        cashCents: one.cashCents + two.cashCents,
        giftCents: one.giftCents + two.giftCents,
      }).toEqual(splitReturn(spent, 0, first + second))
      expect(one.cashCents + two.cashCents).toBeLessThanOrEqual(cashCents)
    }),
  )
})
