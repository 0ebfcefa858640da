import { expect } from 'vitest'
import type { Customer } from '../../members/customers.ts'
import { inTransaction } from '../../kit/database.ts'
import { placeMemberOrder } from '../../orders/place-member-order.ts'
import { placeOrder } from '../../orders/place-order.ts'
import { paymentOutcomes } from '../../orders/settle-payment.ts'
import { settleLearnt } from '../../payments/learn-payment.ts'
import { storeEnd } from '../../payments/payments-sql.ts'
import { isTaken, memberParts, newOrder, spentOf } from './model.ts'
import { onOrder, price, refusalOf, settings, type Command, type OrderWorld } from './world.ts'

let requestKeys = 0

/** Orders are placed and paid, or not. */
export function buyingIn(world: OrderWorld) {
  const place =
    (chair: number, customer: number, kind: number): Command =>
    async (model) => {
      const isFree = kind === 0
      let placedId = ''
      const placing = inTransaction(world.shop.db, async (trx) => {
        const placed = await placeOrder(
          trx,
          world.customers[customer] as Customer,
          {
            deviceId: world.sids[chair] ?? '',
            goodsId: isFree ? world.freeGoods : world.limitedGoods,
            payWay: 'native',
            requestKey: `key ${++requestKeys}`,
          },
          new Date(),
          settings,
        )
        placedId = placed.orderId
      })
      const refusal = await refusalOf(placing)
      if (isTaken(model, chair, customer)) return void expect(refusal).toBe('deviceBusy')
      const earlier = model.orders.find(
        (o) => o.status === '1' && o.chair === chair && o.customer === customer,
      )
      const stock = model.stock + (earlier?.fee ? 1 : 0)
      if (!isFree && stock === 0) return void expect(refusal).toBe('goodsSoldOut')
      expect(refusal).toBeUndefined()
      if (earlier) {
        earlier.status = '2'
        model.stock = stock
      }
      const order = newOrder(placedId, chair, customer, isFree ? 0 : price)
      if (isFree) Object.assign(order, { status: '3', starts: [{ id: placedId, state: 'live' }] })
      else {
        order.payment = 'open'
        model.stock--
      }
      model.orders.push(order)
    }

  const placeAsMember =
    (chair: number): Command =>
    async (model) => {
      let placedId = ''
      const wanted = {
        memberId: world.memberId,
        deviceId: world.sids[chair] ?? '',
        goodsId: world.limitedGoods,
        requestKey: `key ${++requestKeys}`,
      }
      const refusal = await refusalOf(
        inTransaction(world.shop.db, async (trx) => {
          placedId = (await placeMemberOrder(trx, wanted, new Date(), settings)).orderId
        }),
      )
      if (isTaken(model, chair, 'member')) return void expect(refusal).toBe('deviceBusy')
      if (model.stock === 0) return void expect(refusal).toBe('goodsSoldOut')
      if (model.member.cash + model.member.gift < price) return void expect(refusal).toBe('balanceTooLow')
      expect(refusal).toBeUndefined()
      const spent = spentOf(model, price)
      memberParts.set(placedId, spent)
      model.member.cash -= spent.cash
      model.member.gift -= spent.gift
      model.stock--
      const order = newOrder(placedId, chair, 'member', price)
      Object.assign(order, { status: '3', paidBy: 'member', starts: [{ id: placedId, state: 'live' }] })
      model.orders.push(order)
    }

  const pay = (pick: number, times: number) =>
    onOrder(pick, async (order) => {
      if (order.payment === 'none') return
      const learnt = {
        outTradeNo: `${order.id}01`,
        transactionId: `T${order.id}`,
        amountCents: price,
        payerId: null,
        paidAt: new Date(),
        channelId: world.shop.channelId,
        learntBy: 'notice' as const,
      }
      for (let time = 0; time < times; time++) await settleLearnt(world.shop.db, paymentOutcomes, [learnt])
      if (order.payment === 'paid') return
      order.payment = 'paid'
      if (order.status === '1') {
        Object.assign(order, { status: '3', paidBy: 'provider', starts: [{ id: order.id, state: 'live' }] })
      } else if (order.status === '2') {
        Object.assign(order, { status: '7', paidBy: 'provider', back: 'under way', backCents: price })
      } else Object.assign(order, { isSurplus: true, back: 'under way', backCents: price })
    })

  const closePayment = (pick: number) =>
    onOrder(pick, async (order, model) => {
      await inTransaction(world.shop.db, async (trx) => {
        if (await storeEnd(trx, `${order.id}01`, 'closed'))
          await paymentOutcomes.settleClosed(trx, { outTradeNo: `${order.id}01`, orderId: order.id })
      })
      if (order.payment !== 'open') return
      order.payment = 'ended'
      if (order.status !== '1') return
      order.status = '2'
      model.stock++
    })

  return { place, placeAsMember, pay, closePayment }
}
