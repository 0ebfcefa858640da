import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { goodsLimits } from '../catalogue/goods.ts'
import { cents, choice, instant, integer, recordId, text } from '../kit/fields.ts'
import { deviceIdPattern } from '../devices/devices.ts'
import { orderStatusValues } from './order-states.ts'
import { OrderId } from './orders.ts'

/*
 * What the customer's page calls. The caller is known by a random key in a cookie that only this page's calls get;
 * an order is answered to the customer who placed it and to nobody else.
 */

/** Why a chair cannot be bought now; `running` means that the caller's own order runs on it. */
export const payPageDeviceStates = [
  'ready',
  'running',
  'busy',
  'offline',
  'trouble',
  'locked',
  'blocked',
  'cannotSell',
  'closedNow',
] as const

const DeviceIdField = z.string().trim().toUpperCase().regex(deviceIdPattern, { error: 'deviceId' })

const PayPageGoods = z.object({
  id: z.int(),
  name: z.string(),
  nameEn: z.string(),
  priceCents: z.int(),
  durationMinutes: z.int(),
  /** Below 0 without limit (spec 2 §9). */
  instock: z.int(),
  /** The first use of this customer costs nothing. */
  freeFirst: z.boolean(),
  memberOnly: z.boolean(),
  /** 0 massage, 1 sleep. */
  workMode: z.int(),
  picture: z.string(),
})

/** State of a customer's order as the page shows it; "paid" comes from the server alone. */
export const PayPageOrder = z.object({
  orderId: z.string(),
  deviceId: z.string(),
  status: z.enum(orderStatusValues),
  /** waiting for payment, waiting for the chair, running, broken off with a rest, ended, or money on its way back and come back. */
  phase: z.enum([
    'paying',
    'starting',
    'running',
    'brokenOff',
    'ended',
    'refunding',
    'refunded',
    'closed',
    'refundFailed',
  ]),
  /** Whether the chair ran: money that goes back then is what a merchant gives back. */
  hasStarted: z.boolean(),
  goodsName: z.string(),
  goodsNameEn: z.string(),
  priceCents: z.int(),
  refundedCents: z.int(),
  durationMinutes: z.int(),
  /** When the chair will stop, while it runs. */
  endsAt: instant.nullable(),
  /** Seconds left on the server's clock, while it runs; those not delivered, of a run that broke off. */
  remainingSeconds: z.int(),
  /** A stop is on its way to the chair; false again when the chair did not answer it. */
  stopping: z.boolean(),
  /** Whether the chair can be stopped before its time. */
  stoppable: z.boolean(),
  /** 0 massage, 1 sleep: that of the goods that were bought. */
  workMode: z.int(),
  merchantName: z.string(),
  servicePhone: z.string(),
})
export type PayPageOrder = z.output<typeof PayPageOrder>

/** How to pay: WeChat's own window, or a code to scan or open. */
const PayWay = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('jsapi'), parameters: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal('native'), codeUrl: z.string(), codeImage: z.string() }),
  z.object({ kind: z.literal('none') }),
])

/** Everything the page needs to draw itself. */
export const PayPageDevice = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  state: z.enum(payPageDeviceStates),
  merchantName: z.string(),
  placeAddress: z.string(),
  servicePhone: z.string(),
  /** When the place opens next, `HH:MM`, while it is closed; empty otherwise. */
  opensAt: z.string(),
  /** When its sleep goods are on offer next, `HH:MM`, while a chair that could be bought offers nothing; empty otherwise. */
  sellsFrom: z.string(),
  /** 1 Chinese, 2 English, 3 both (spec 2 §3, "Banner"). */
  frontLang: z.int(),
  bannerPicture: z.string(),
  /** Where the picture leads to; an http or https address, or empty. */
  bannerUrl: z.string(),
  /** Look of the picture: property → value, of those that a banner may set. */
  bannerStyle: z.record(z.string(), z.string()),
  successText: z.string(),
  successUrl: z.string(),
  /** For goods of a sleep template. */
  sleepPrompt: z.string(),
  goods: z.array(PayPageGoods),
  /** The order of this customer on this chair that is not over yet. */
  order: PayPageOrder.nullable(),
  /** How to pay that order, while it waits to be paid. */
  pay: PayWay.nullable(),
  /** Where a page inside WeChat goes first to learn the payer's openid; empty when it is known or not needed. */
  wechatSignInUrl: z.string(),
})
export type PayPageDevice = z.output<typeof PayPageDevice>

const open = 'a customer has no account'

export const showPayPage = endpoint({
  verb: 'GET',
  path: '/api/pay/devices/:deviceId',
  summary: 'What the pay page of a chair shows',
  open,
  // Customers of a whole mall may stand behind one address, and pages that wait look again every few seconds.
  perMinute: 3000,
  input: z.object({ deviceId: DeviceIdField }),
  data: PayPageDevice,
  refuses: ['notFound'],
})

/**
 * Places an order; the same `requestKey` again answers the same order. `providerRefused` carries `ended`: the order has
 * ended, and only another key makes another one.
 */
export const placeOrder = endpoint({
  verb: 'POST',
  path: '/api/pay/orders',
  summary: 'Places an order and asks the provider how to pay it',
  open,
  audit: 'order.place',
  perMinute: 240,
  input: z.object({
    deviceId: DeviceIdField,
    goodsId: recordId,
    payWay: choice(['jsapi', 'native']),
    requestKey: text(64),
    /** What the customer saw; told it, nothing is placed that costs more or takes less time. */
    priceCents: cents().optional(),
    durationMinutes: integer(1, goodsLimits.durationMinutes).optional(),
  }),
  data: z.object({ order: PayPageOrder, pay: PayWay }),
  refuses: [
    'notFound',
    'deviceOffline',
    'deviceBusy',
    'deviceLocked',
    'deviceBlocked',
    'deviceCannotSell',
    'placeClosed',
    'goodsNotAvailable',
    'goodsChanged',
    'goodsSoldOut',
    'membersOnly',
    'tooManyUnpaid',
    'providerNoAnswer',
    'providerRefused',
  ],
})

export const showPayOrder = endpoint({
  verb: 'GET',
  path: '/api/pay/orders/:orderId',
  summary: 'State of an order of this customer',
  open,
  // Each running customer of a mall looks every few seconds, all from one address; a look reads one row.
  perMinute: 3000,
  input: z.object({ orderId: OrderId }),
  data: PayPageOrder,
  refuses: ['notFound'],
})

/** The customer presses STOP; what was not used is not given back. */
export const stopPayOrder = endpoint({
  verb: 'POST',
  path: '/api/pay/orders/:orderId/stop',
  summary: 'Stops the chair before its time',
  open,
  audit: 'order.stop',
  // An allowance of its own: whatever else comes from the same address, a chair can be stopped.
  perMinute: 600,
  input: z.object({ orderId: OrderId }),
  data: PayPageOrder,
  refuses: ['notFound', 'notPossible', 'deviceOffline', 'deviceNotControllable'],
})

/** Closes an order that was not paid, so that the chair is free for somebody else. */
export const cancelPayOrder = endpoint({
  verb: 'POST',
  path: '/api/pay/orders/:orderId/cancel',
  summary: 'Gives up an order that is not paid',
  open,
  audit: 'order.cancel',
  input: z.object({ orderId: OrderId }),
  data: PayPageOrder,
  refuses: ['notFound', 'notPossible', 'providerNoAnswer'],
})

export const payPageCalls = { showPayPage, placeOrder, showPayOrder, stopPayOrder, cancelPayOrder }
