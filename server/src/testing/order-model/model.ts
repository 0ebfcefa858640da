import type { OrderStatus } from '@chairside/contract'

/* What an order and its money come to, as simply as it can be said: the real thing is compared with it. */

export interface Start {
  id: string
  state: 'live' | 'accepted' | 'dead' | 'ended'
  /** It was given up: the chair may have taken it all the same. */
  isTimedOut?: true
}
export interface ModelOrder {
  id: string
  chair: number
  customer: number | 'member'
  fee: number
  status: OrderStatus
  paidBy: 'provider' | 'manual' | 'member' | 'nobody'
  payment: 'none' | 'open' | 'ended' | 'paid'
  /** A payment that the order did not need. */
  isSurplus: boolean
  starts: Start[]
  hasRun: boolean
  /** A run began whose end is not known. */
  isRunning: boolean
  isFinished: boolean
  wasStopped: boolean
  delivered: number
  refunded: number
  /** The row of its refund, and what was decided to give back. */
  refund: { id: number; status: number; price: number } | undefined
  /** Money on its way back through the provider. */
  back: 'none' | 'under way' | 'failed' | 'done'
  backCents: number
}

export interface Model {
  orders: ModelOrder[]
  stock: number
  member: { cash: number; gift: number }
  before: Record<string, number>
}

export const isTaken = (model: Model, chair: number, customer: number | 'member') =>
  model.orders.some(
    (order) =>
      order.chair === chair &&
      !order.isFinished &&
      (order.status === '4' ||
        order.starts.some(({ state }) => state === 'live') ||
        (order.status === '1' && order.customer !== customer)),
  )

export const liveStart = (order: ModelOrder) => order.starts.find(({ state }) => state === 'live')

export const spentOf = (model: Model, amount: number) => {
  const cashPart = Math.min(model.member.cash, amount)
  return { cash: cashPart, gift: amount - cashPart }
}

export const memberParts = new Map<string, { cash: number; gift: number }>()

export function giveToMember(model: Model, order: ModelOrder, amount: number): void {
  const spent = memberParts.get(order.id) ?? { cash: 0, gift: 0 }
  const giftPart = Math.min(spent.gift, amount)
  model.member.gift += giftPart
  model.member.cash += amount - giftPart
}

export const newOrder = (
  id: string,
  chair: number,
  customer: number | 'member',
  fee: number,
): ModelOrder => ({
  id,
  chair,
  customer,
  fee,
  status: '1',
  paidBy: 'nobody',
  payment: 'none',
  isSurplus: false,
  starts: [],
  hasRun: false,
  isRunning: false,
  isFinished: false,
  wasStopped: false,
  delivered: 0,
  refunded: 0,
  refund: undefined,
  back: 'none',
  backCents: 0,
})

export function chairFailed(order: ModelOrder, start: Start, model: Model): void {
  start.state = 'dead'
  if (!['3', '5', '6'].includes(order.status) || order.hasRun) return
  if (order.paidBy === 'manual') return
  if (order.status === '5' && order.refund) order.refund.status = order.paidBy === 'provider' ? 6 : 1
  if (order.paidBy === 'provider')
    Object.assign(order, { status: '7', back: 'under way', backCents: order.fee })
  else {
    order.status = '8'
    order.refunded = order.fee
    if (order.paidBy === 'member') giveToMember(model, order, order.fee)
  }
  if (order.fee > 0) model.stock++
}
