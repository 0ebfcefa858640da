import type { OrderCause } from '@chairside/contract'
import type pg from 'pg'
import { copyInto, type RowCopy } from './copy-rows.ts'
import type { MadeOrder } from './made-orders.ts'

/** The platform's own WeChat channel, which takes all the money of the demo. */
export interface DemoChannel {
  id: number
  account: string
}

const orderColumns = [
  'order_id',
  'order_time',
  'merchant_id',
  'place_id',
  'device_id',
  'device_sid',
  'goods_id',
  'goods_name',
  'goods_name_en',
  'address',
  'duration_minutes',
  'fee_cents',
  'refunded_cents',
  'status',
  'pay_channel',
  'channel_id',
  'channel_account',
  'transaction_id',
  'member_id',
  'phone',
  'paid_at',
  'started_at',
  'ends_at',
  'finished_at',
  'delivered_seconds',
] as const
const historyColumns = [
  'order_id',
  'order_time',
  'merchant_id',
  'at',
  'from_status',
  'to_status',
  'cause',
  'by_whom',
  'detail',
]
const paymentColumns = [
  'out_trade_no',
  'order_id',
  'merchant_id',
  'channel_id',
  'amount_cents',
  'trade',
  'state',
  'transaction_id',
  'paid_at',
  'expires_at',
  'created_at',
]
const refundColumns = [
  'order_id',
  'order_time',
  'merchant_id',
  'place_id',
  'device_sid',
  'price_cents',
  'phone',
  'status',
  'reason',
  'content',
  'remark',
  'created_at',
  'created_by',
  'audited_at',
  'audited_by',
  'audit',
  'settled_at',
]

export interface OrderWriter {
  add(order: MadeOrder): Promise<void>
  end(): Promise<void>
}

/** Of an order paid through WeChat: our number of the payment and the provider's. */
const outTradeNoOf = (order: MadeOrder) => `${order.orderId}01`
const transactionIdOf = (order: MadeOrder) =>
  `42000${order.orderId.slice(2, 17)}${String(parseInt(order.orderId.slice(17), 36)).padStart(8, '0')}`

const isPaidByProvider = (order: MadeOrder) => order.channel === 'wechatPay' && order.paidAt !== null

/**
 * Writes made-up orders with everything that belongs to them. Lists alone need `orders`; the story of each order (history,
 * payments, refunds) can be left out for measuring.
 */
export function writeOrders(
  clients: { orders: pg.ClientBase; stories?: StoryClients },
  channel: DemoChannel,
): OrderWriter {
  const orders = copyInto(clients.orders, 'orders', orderColumns)
  const stories = clients.stories && {
    history: copyInto(clients.stories.history, 'order_history', historyColumns),
    payments: copyInto(clients.stories.payments, 'payments', paymentColumns),
    refunds: copyInto(clients.stories.refunds, 'refunds', refundColumns),
  }
  return {
    async add(order) {
      orders.add(orderRow(order, channel))
      if (stories) {
        addHistory(stories.history, order)
        if (isPaidByProvider(order)) stories.payments.add(paymentRow(order, channel))
        if (order.refund) stories.refunds.add(refundRow(order))
      }
      await orders.drained()
    },
    async end() {
      await Promise.all([orders, ...(stories ? Object.values(stories) : [])].map((copy) => copy.end()))
    },
  }
}

export interface StoryClients {
  history: pg.ClientBase
  payments: pg.ClientBase
  refunds: pg.ClientBase
}

function orderRow(order: MadeOrder, channel: DemoChannel) {
  const byProvider = isPaidByProvider(order)
  return [
    order.orderId,
    order.time,
    order.merchantId,
    order.place?.id,
    order.device?.id,
    order.device?.sid ?? '',
    order.goods?.id,
    order.goods?.name ?? (order.member ? `会员充值 ${order.member.name}` : ''),
    order.goods?.nameEn ?? '',
    order.place?.address ?? '',
    order.minutes,
    order.feeCents,
    order.refundedCents,
    order.status,
    order.channel,
    byProvider ? channel.id : null,
    byProvider ? channel.account : null,
    byProvider ? transactionIdOf(order) : null,
    order.member?.id,
    order.phone,
    order.paidAt,
    order.startedAt,
    order.finishedAt,
    order.finishedAt,
    order.finishedAt ? order.minutes * 60 : 0,
  ]
}

function paymentRow(order: MadeOrder, channel: DemoChannel) {
  const expiresAt = new Date(order.time.getTime() + 300_000)
  return [
    outTradeNoOf(order),
    order.orderId,
    order.merchantId,
    channel.id,
    order.feeCents,
    'jsapi',
    'paid',
    transactionIdOf(order),
    order.paidAt,
    expiresAt,
    order.time,
  ]
}

function refundRow(order: MadeOrder) {
  const { refund } = order
  const audit = refund?.auditedAt ? (refund.status === 2 ? 0 : refund.status === 3 ? 2 : 1) : null
  return [
    order.orderId,
    order.time,
    order.merchantId,
    order.place?.id,
    order.device?.sid ?? '',
    order.feeCents,
    order.phone,
    refund?.status,
    refund?.reason,
    refund?.content,
    refund?.remark,
    refund?.appliedAt,
    'merchant',
    refund?.auditedAt,
    refund?.auditedAt ? 'admin' : '',
    audit,
    refund?.settledAt,
  ]
}

function paidBy({ channel }: MadeOrder): [OrderCause, string] {
  if (channel === 'manualStart') return ['started by hand', 'merchant']
  return channel === 'custAccount' ? ['paid from the balance', 'member'] : ['paid', 'provider']
}

function addHistory(history: RowCopy, order: MadeOrder): void {
  const add = (at: Date | null, from: number | null, to: number, cause: OrderCause, byWhom: string) => {
    if (at) history.add([order.orderId, order.time, order.merchantId, at, from, to, cause, byWhom, ''])
  }
  const later = (at: Date | null, seconds: number) => at && new Date(at.getTime() + seconds * 1000)
  add(order.time, null, 1, 'placed', 'customer')
  if (!order.paidAt) return add(later(order.time, 300), 1, 2, 'not paid', 'system')
  const [cause, byWhom] = paidBy(order)
  add(order.paidAt, 1, 3, cause, byWhom)
  if (!order.device) return
  if (!order.startedAt) {
    add(later(order.paidAt, 90), 3, 7, 'the chair did not acknowledge', 'system')
    return add(later(order.paidAt, 96), 7, 8, 'refunded', 'provider')
  }
  add(order.startedAt, 3, 4, 'the chair acknowledged', 'device')
  add(order.finishedAt, 4, 3, 'the chair ended', 'device')
  const { refund } = order
  if (!refund) return
  add(refund.appliedAt, 3, 5, 'refund applied', 'merchant')
  if (!refund.auditedAt) return
  if (refund.status === 2) return add(refund.auditedAt, 5, 6, 'refund refused', 'admin')
  add(refund.auditedAt, 5, 7, 'refund approved', 'admin')
  if (refund.status === 1) add(refund.settledAt, 7, 8, 'refunded', 'provider')
  if (refund.status === 3) add(refund.settledAt, 7, 8, 'refunded offline', 'admin')
  if (refund.status === 0 || refund.status === 4)
    add(later(refund.auditedAt, 60), 7, 9, 'the refund failed', 'provider')
}
