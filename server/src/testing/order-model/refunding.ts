import { expect } from 'vitest'
import { sql } from '../../kit/database.ts'
import { learnRefund } from '../../payments/provider-refunds.ts'
import { giveToMember, memberParts } from './model.ts'
import { onOrder, type OrderWorld } from './world.ts'

/** Refunds are asked for, decided on, and answered by the provider. */
export function refundingIn(world: OrderWorld) {
  const apply = (pick: number) =>
    onOrder(pick, async (order) => {
      const body = await world.asked(`/api/orders/refund/${order.id}`, world.tokens.merchant)
      if (!['3', '4'].includes(order.status) || order.fee === 0)
        return void expect(body.resultCode).toBe('105')
      expect(body.resultCode).toBe('000')
      order.status = '5'
      order.refund = { id: body.data.id, status: 5, price: order.fee }
    })

  const audit = (pick: number, decision: 0 | 1 | 2, wanted: number | undefined) =>
    onOrder(pick, async (order, model) => {
      const { refund } = order
      if (!refund) return
      const body = await world.asked(`/api/orders/auditrefund/${refund.id}`, world.tokens.admin, {
        audit: decision,
        remark: 'seen',
        ...(wanted === undefined ? {} : { price: wanted }),
      })
      if (refund.status !== 5) return void expect(body.resultCode).toBe('105')
      if (decision === 0) {
        expect(body.data.status).toBe(2)
        refund.status = 2
        order.status = '6'
        return
      }
      const cents = wanted ?? refund.price
      const byHand = order.paidBy === 'member' ? (memberParts.get(order.id)?.cash ?? 0) : order.fee
      if (cents > (decision === 2 ? byHand : order.fee)) return void expect(body.message).toMatch(/More than/)
      if (cents < order.fee && order.paidBy !== 'manual' && !order.hasRun)
        return void expect(body.message).toMatch(/has not started/)
      if (decision === 1 && order.paidBy === 'manual')
        return void expect(body.message).toMatch(/only be refunded offline/)
      expect(body.resultCode).toBe('000')
      refund.price = cents
      if (decision === 1 && order.paidBy === 'provider') {
        refund.status = 6
        Object.assign(order, { status: '7', back: 'under way', backCents: cents })
        return
      }
      refund.status = decision === 2 ? 3 : 1
      order.status = '8'
      order.refunded = cents
      if (decision === 1) giveToMember(model, order, cents)
      else world.offlineCents += cents
    })
  const providerAnswers = (pick: number, succeeded: boolean, times: number) =>
    onOrder(pick, async (order) => {
      const { rows } = await sql<{ outRefundNo: string; cents: number }>`
      select out_refund_no as "outRefundNo", amount_cents as cents from provider_refunds where order_id = ${order.id}`.execute(
        world.shop.db,
      )
      expect(rows).toHaveLength(order.back === 'none' ? 0 : 1)
      const [asking] = rows
      if (!asking) return
      expect(asking.cents).toBe(order.backCents)
      const told = {
        state: succeeded ? 'succeeded' : 'failed',
        outRefundNo: asking.outRefundNo,
        providerRefundId: 'P',
        refundCents: asking.cents,
        reason: succeeded ? '' : 'ABNORMAL',
        succeededAt: null,
      } as const
      for (let time = 0; time < times; time++)
        await learnRefund(world.shop.payments, told, world.shop.channelId)
      if (order.back === 'done' || (order.back === 'failed' && !succeeded)) return
      order.back = succeeded ? 'done' : 'failed'
      if (order.isSurplus) return
      order.status = succeeded ? '8' : '9'
      if (succeeded) order.refunded = order.backCents
      // An application that was refused stays so, though the money went back by itself.
      if (order.refund && order.refund.status !== 2) order.refund.status = succeeded ? 1 : 0
    })

  const endFailed = (pick: number) =>
    onOrder(pick, async (order) => {
      if (!order.refund) return
      const body = await world.asked(`/api/orders/endfailedrefund/${order.refund.id}`, world.tokens.admin)
      expect(body.resultCode).toBe(order.refund.status === 0 ? '000' : '105')
      if (order.refund.status === 0) order.refund.status = 4
    })

  return { apply, audit, providerAnswers, endFailed }
}
