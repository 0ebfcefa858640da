import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  choice,
  day,
  filter,
  instant,
  integer,
  listOf,
  paging,
  recordId,
  text,
  textOrEmpty,
} from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { orderStatusValues, payChannels, refundRemarkMax } from './order-states.ts'

/** An id of an order: prefix, time and a suffix, at most 21 letters and digits (decisions §4). */
export const OrderId = z
  .string()
  .trim()
  .regex(/^[A-Z]{2}[0-9A-Z]{6,19}$/, { error: 'orderId' })

/** A row of the order list (spec 1 §3, plus what scope and history need). */
export const OrderRow = z.object({
  orderId: z.string(),
  deviceSid: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  merchantUserId: z.string(),
  /** Minutes bought. */
  duration: z.int(),
  /** Price in cents. */
  orderFee: z.int(),
  /** Cents received and not given back. */
  actualFee: z.int(),
  status: z.enum(orderStatusValues),
  /** The use ran to its end (decisions §4), also when its money was asked back afterwards. */
  finished: z.boolean(),
  orderTime: instant,
  payChannel: z.enum(payChannels).nullable(),
  /** The provider's transaction id. */
  payId: z.string().nullable(),
  goodsName: z.string(),
  address: z.string(),
  channelAccount: z.string().nullable(),
})
export type OrderRow = z.output<typeof OrderRow>

/** First year an order can be of (spec 1 §9). */
export const firstOrderYear = 2018

const orderFilters = {
  year: filter(integer(firstOrderYear, 2100)),
  merchantid: filter(recordId),
  agentid: filter(recordId),
  devicesid: filter(textOrEmpty(20)),
  status: filter(choice(orderStatusValues)),
  startdate: filter(day),
  enddate: filter(day),
  orderid: filter(textOrEmpty(32)),
  transactionid: filter(textOrEmpty(64)),
  paychannel: filter(choice(payChannels)),
  /** The provider's transaction id, or the number of ours that the provider knows the payment by. */
  payid: filter(textOrEmpty(64)),
}

export const orderColumns: readonly SheetColumn[] = [
  { field: 'orderId', text: 'orders.field.orderId', kind: 'id' },
  { field: 'orderTime', text: 'orders.field.orderTime', kind: 'dateTime' },
  { field: 'status', text: 'orders.field.status', kind: 'status', valueText: 'orders.status' },
  { field: 'finished', text: 'orders.field.finished', kind: 'status', valueText: 'orders.finished' },
  { field: 'merchantName', text: 'orders.field.merchantName', kind: 'text' },
  { field: 'merchantUserId', text: 'orders.field.merchantUserId', kind: 'id' },
  { field: 'deviceSid', text: 'orders.field.deviceSid', kind: 'id' },
  { field: 'goodsName', text: 'orders.field.goodsName', kind: 'text' },
  { field: 'address', text: 'orders.field.address', kind: 'text' },
  { field: 'duration', text: 'orders.field.duration', kind: 'duration' },
  { field: 'orderFee', text: 'orders.field.orderFee', kind: 'money', totalled: true },
  { field: 'actualFee', text: 'orders.field.actualFee', kind: 'money', totalled: true },
  { field: 'payChannel', text: 'orders.field.payChannel', kind: 'status', valueText: 'orders.payChannel' },
  { field: 'payId', text: 'orders.field.payId', kind: 'id' },
  { field: 'channelAccount', text: 'orders.field.channelAccount', kind: 'text' },
]

/** Orders of the current year unless `year` says otherwise (spec 1 §7, decisions §4). */
export const listOrders = endpoint({
  verb: 'GET',
  path: '/api/orders',
  summary: 'A page of orders, newest first',
  needs: 'order.list',
  input: z.object({ ...paging, ...orderFilters }),
  data: listOf(OrderRow),
  refuses: [],
  sheet: { fileName: 'order.xlsx', columns: orderColumns },
})

export const sumOrders = endpoint({
  verb: 'GET',
  path: '/api/orders/sum',
  summary: 'Total income of the orders that match, in cents',
  needs: 'order.list',
  input: z.object(orderFilters),
  data: z.int(),
  refuses: [],
})

/** Orders of an earlier year (spec 1 §2, "Order history screen"); last year when `year` is absent. */
export const listHistoryOrders = endpoint({
  verb: 'GET',
  path: '/api/history/orders',
  summary: 'A page of orders of an earlier year, newest first',
  needs: 'order.list',
  input: z.object({ ...paging, ...orderFilters }),
  data: listOf(OrderRow),
  refuses: [],
  sheet: { fileName: 'order.xlsx', columns: orderColumns },
})

export const sumHistoryOrders = endpoint({
  verb: 'GET',
  path: '/api/history/sum',
  summary: 'Total income of an earlier year, in cents',
  needs: 'order.list',
  input: z.object(orderFilters),
  data: z.int(),
  refuses: [],
})

/** One step of an order's story: a change of status, a notice, a command, an acknowledgement, a refund. */
const TimelineStep = z.object({
  at: instant,
  kind: z.enum(['status', 'payment', 'notice', 'command', 'refund']),
  /** Status reached, outcome of the notice, or result of the command. */
  what: z.string(),
  /** Who did it: a user name, or one of `orderActors`. */
  by: z.string(),
  detail: z.string(),
  /** The money that it is about, in cents; null where it is about none. */
  cents: z.int().nullable(),
})

/** Detail dialog of an order with its whole story. */
export const getOrder = endpoint({
  verb: 'GET',
  path: '/api/orders/detail/:orderId',
  summary: 'One order with its timeline',
  needs: 'order.list',
  input: z.object({ orderId: OrderId }),
  data: OrderRow.extend({ timeline: z.array(TimelineStep) }),
  refuses: ['notFound'],
})

/** Remote start of an order (spec 1 §6 and §7, decisions §4); `data` is the id of the command sent to the chair. */
export const startOrder = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/orders/remote/:orderId',
  summary: 'Starts the chair for what an order has not had yet',
  needs: 'order.start',
  types: [2, 4],
  audit: 'order.start',
  input: z.object({ orderId: OrderId }),
  data: z.object({ orderId: z.string(), commandId: z.string() }),
  refuses: [
    'notFound',
    'notPossible',
    'notADeviceOrder',
    'nothingLeftToDeliver',
    'deviceOffline',
    'deviceInTrouble',
    'deviceBusy',
    'deviceResetting',
    'deviceLocked',
    'deviceBlocked',
  ],
})

/** Applies for a refund (spec 1 §6 and §7). */
export const applyRefund = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/orders/refund/:orderId',
  summary: 'Applies for the refund of an order',
  needs: 'order.refund',
  types: [2, 4],
  audit: 'order.refund',
  input: z.object({ orderId: OrderId, remark: filter(text(refundRemarkMax)) }),
  data: z.object({ id: z.int(), orderId: z.string(), status: z.int() }),
  refuses: ['notFound', 'notPossible', 'notADeviceOrder', 'refundNotAllowed'],
})

export const orderCalls = {
  listOrders,
  sumOrders,
  listHistoryOrders,
  sumHistoryOrders,
  getOrder,
  startOrder,
  applyRefund,
}
