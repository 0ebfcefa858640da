import {
  cancelPayOrder,
  deviceStatuses,
  isWebAddress,
  placeOrder as placeOrderEndpoint,
  readBannerCss,
  showPayOrder,
  showPayPage,
  stopPayOrder,
  type DataOf,
} from '@chairside/contract'
import QRCode from 'qrcode'
import { bannerShown } from '../catalogue/banner-shown.ts'
import { goodsOnOffer, sleepHoursAhead } from '../catalogue/goods-on-offer.ts'
import { requestStop } from '../devices/device-commands.ts'
import { deviceForSale } from '../devices/device-for-sale.ts'
import { handle, handleOutside, type Call, type CallContext } from '../kit/call.ts'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { reachStep } from '../kit/steps.ts'
import { customerCookie, customerCookieSeconds } from '../members/customer-cookie.ts'
import { customerOf, findCustomer, newCustomerKey, type Customer } from '../members/customers.ts'
import type { Prepared } from '../payments/adapters/payment-adapter.ts'
import { channelForMerchant } from '../payments/pay-channels.ts'
import { closePayment } from '../payments/payment-queries.ts'
import type { PaymentServices } from '../payments/payment-services.ts'
import { findOpenPayment } from '../payments/payments-sql.ts'
import { preparePayment } from '../payments/prepare-payment.ts'
import { lockOrder } from './change-order-status.ts'
import { findOpenOrderOf, findPayPageOrder } from './pay-page-order.ts'
import { isFirstUse, placeOrder } from './place-order.ts'
import { earliestOpen } from './recent-orders.ts'
import { countCommands, runningCommandOf } from './runs-sql.ts'
import { localTime, opensAt, saleStateOf, sellsFrom, type PlacingSettings } from './sale-state.ts'
import { createUnpaidLimit, type UnpaidLimit } from './unpaid-of-address.ts'

type Cookies = Pick<CallContext, 'cookie' | 'setCookie'>

/** The key of the caller's cookie, which lives on; a caller without one gets one. */
function keyOfCaller({ cookie, setCookie }: Cookies): string {
  const key = cookie(customerCookie) || newCustomerKey()
  setCookie(customerCookie, key, { path: '/', maxAgeSeconds: customerCookieSeconds })
  return key
}

async function knownCustomer(db: Database, { cookie }: Cookies): Promise<Customer | undefined> {
  const key = cookie(customerCookie)
  return key === undefined ? undefined : findCustomer(db, key)
}

/**
 * A customer as the channel that takes a merchant's money knows it: whom another merchant's app knows is a stranger to
 * this one, who can neither be asked to pay nor be told from somebody who was here before.
 */
async function knownToChannel(
  { payments }: PayPageServices,
  db: Database,
  merchantId: number,
  customer: Customer,
): Promise<Customer> {
  if (customer.openId === null) return customer
  const routed = await channelForMerchant(db, merchantId)
  const channel = routed && (await payments.channels.open(db, routed.id))
  return channel?.settings.appId === customer.appId ? customer : { ...customer, openId: null, appId: null }
}

/** Whoever was nobody when the button was pressed, also if the same browser signs in at that moment. */
const newCustomerOf = async (trx: Database, customerKey: string): Promise<Customer> => ({
  ...(await customerOf(trx, customerKey)),
  openId: null,
  appId: null,
})

type PayWay = DataOf<typeof placeOrderEndpoint>['pay']

async function payWayOf(prepared: Prepared): Promise<PayWay> {
  if (prepared.kind === 'jsapi') return prepared
  const svg = await QRCode.toString(prepared.codeUrl, { type: 'svg', margin: 1 })
  return { ...prepared, codeImage: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
}

export interface PayPageServices extends PlacingSettings {
  payments: PaymentServices
  /** Address of a stored picture. */
  pictureUrl(key: string): string
  /** Where a page inside WeChat goes to be told who the payer is. */
  wechatSignInUrl(db: Database, merchantId: number, deviceId: string, customerKey: string): Promise<string>
}

/** What a customer's page calls. */
export function createPayPageCalls(services: PayPageServices): Call[] {
  const unpaid = createUnpaidLimit(services.paymentWindowSeconds)
  return [
    handle(showPayPage, (context) => showPage(services, context)),
    handleOutside(placeOrderEndpoint, (context) => place(services, unpaid, context)),
    handle(showPayOrder, async (context) => {
      const customer = await knownCustomer(context.db, context)
      const order =
        customer && (await findPayPageOrder(context.db, customer.id, context.input.orderId, context.now))
      return order ?? context.refuse('notFound')
    }),
    handle(stopPayOrder, (context) => stop(context)),
    handleOutside(cancelPayOrder, (context) => cancel(services, context)),
  ]
}

async function showPage(
  services: PayPageServices,
  context: CallContext<typeof showPayPage>,
): Promise<DataOf<typeof showPayPage>> {
  const { db, input, now, refuse } = context
  const device = await deviceForSale(db, input.deviceId)
  if (!device) return refuse('notFound')
  // Known from the first visit on, so that a press that is lost and repeated belongs to the same customer.
  const customerKey = keyOfCaller(context)
  const local = localTime(now, services.timeZone)
  const merchantId = device.merchantId ?? 1
  const found = await findCustomer(db, customerKey)
  const customer = found && (await knownToChannel(services, db, merchantId, found))
  const order = customer ? await findOpenOrderOf(db, customer.id, device.id, now) : undefined
  const payment = order?.phase === 'paying' ? await findOpenPayment(db, order.orderId) : undefined
  const [banner, state, goods] = await Promise.all([
    bannerShown(db, merchantId, local.day),
    saleStateOf(db, device, customer?.id ?? null, now, services),
    goodsOnOffer(db, device, local),
  ])
  // Who comes by day to a chair that sells at night alone is told when to come again.
  const isEmpty = state === 'ready' && goods.length === 0
  const ahead =
    isEmpty && device.sleepTemplateId !== null
      ? await sleepHoursAhead(db, device.sleepTemplateId, local)
      : undefined
  const needsSignIn = customer === undefined || customer.openId === null
  const isFirst =
    customer !== undefined &&
    goods.some(({ freeFirst }) => freeFirst) &&
    (await isFirstUse(db, merchantId, customer))
  const isUnderWay = order?.phase === 'starting' || order?.phase === 'running'
  return {
    deviceId: device.sid,
    deviceName: device.name,
    state: isUnderWay ? 'running' : state,
    merchantName: device.merchantName,
    placeAddress: device.placeAddress,
    servicePhone: device.placePhone || device.merchantMobile,
    opensAt: state === 'closedNow' ? opensAt(device) : '',
    sellsFrom: ahead ? sellsFrom(device, ahead) : '',
    frontLang: banner.frontLang,
    bannerPicture: banner.pictureKey && services.pictureUrl(banner.pictureKey),
    bannerUrl: isWebAddress(banner.linkUrl) ? banner.linkUrl : '',
    bannerStyle: readBannerCss(banner.css) ?? {},
    successText: banner.successText,
    successUrl: isWebAddress(banner.successUrl) ? banner.successUrl : '',
    sleepPrompt: banner.sleepPrompt,
    goods: goods.map(({ portraitKey, stock, ...one }) => ({
      ...one,
      priceCents: one.freeFirst && isFirst ? 0 : one.priceCents,
      instock: stock,
      picture: portraitKey && services.pictureUrl(portraitKey),
    })),
    order: order ?? null,
    pay: payment?.answer ? await payWayOf(payment.answer) : null,
    wechatSignInUrl: needsSignIn
      ? await services.wechatSignInUrl(db, merchantId, device.sid, customerKey)
      : '',
  }
}

async function place(
  services: PayPageServices,
  unpaid: UnpaidLimit,
  context: CallContext<typeof placeOrderEndpoint>,
): Promise<DataOf<typeof placeOrderEndpoint>> {
  const { db, input, now, address, refuse, audit } = context
  const customerKey = keyOfCaller(context)
  const known = await findCustomer(db, customerKey)
  const device = known?.openId ? await deviceForSale(db, input.deviceId) : undefined
  const caller = device && known ? await knownToChannel(services, db, device.merchantId ?? 1, known) : known
  if (caller) await giveUpEarlier(services, db, caller, input.deviceId, input.requestKey, now)
  const taken = (await unpaid.take(db, address, now)) ?? refuse('tooManyUnpaid')
  const { customer, placed } = await inTransaction(db, async (trx) => {
    // With the order, not before it: what is refused leaves nobody behind.
    const buyer = caller ?? (await newCustomerOf(trx, customerKey))
    return { customer: buyer, placed: await placeOrder(trx, buyer, input, now, services) }
  }).catch((error: unknown) => {
    unpaid.leave(taken)
    throw error
  })
  if (placed.outTradeNo === undefined) unpaid.leave(taken)
  else taken.orderId = placed.orderId
  reachStep('order placed')
  audit({ target: placed.orderId, after: { deviceId: input.deviceId, goodsId: input.goodsId } })
  const pay: PayWay =
    placed.outTradeNo === undefined
      ? { kind: 'none' }
      : await prepare(services, context, placed.outTradeNo, placed.description)
  const order = await findPayPageOrder(db, customer.id, placed.orderId, new Date())
  return order ? { order, pay } : refuse('notFound')
}

async function prepare(
  services: PayPageServices,
  { refuse }: CallContext<typeof placeOrderEndpoint>,
  outTradeNo: string,
  description: string,
): Promise<PayWay> {
  const prepared = await preparePayment(services.payments, outTradeNo, description)
  switch (prepared.outcome) {
    case 'accepted':
      return payWayOf(prepared.result)
    case 'paid':
      return { kind: 'none' }
    case 'unknown':
      return refuse('providerNoAnswer')
    case 'refused':
      // The payment has ended, and the order with it.
      return refuse('providerRefused', { ended: true })
  }
}

/** A customer who chooses again on the same chair gives up the earlier order; the provider closes it first. */
async function giveUpEarlier(
  services: PayPageServices,
  db: Database,
  customer: Customer,
  sid: string,
  requestKey: string,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id as "orderId" from orders
     where customer_id = ${customer.id} and device_sid = ${sid} and status = 1 and request_key is distinct from ${requestKey}
       and order_time > ${earliestOpen(now)} order by order_time desc limit 3`.execute(db)
  for (const { orderId } of rows) {
    const payment = await findOpenPayment(db, orderId)
    if (payment) await closePayment(services.payments, payment, now)
  }
}

async function stop(context: CallContext<typeof stopPayOrder>): Promise<DataOf<typeof stopPayOrder>> {
  const { db, input, now, refuse } = context
  const customer = await knownCustomer(db, context)
  const shown = customer && (await findPayPageOrder(db, customer.id, input.orderId, now))
  if (!customer || !shown) return refuse('notFound')
  const order = await lockOrder(db, input.orderId)
  if (shown.phase !== 'running' || !order || order.deviceId === null) return refuse('notPossible')
  if (!shown.stoppable) return refuse('deviceNotControllable')
  const stops = await runningCommandOf(db, order.orderId)
  if (stops === undefined) return refuse('notPossible')
  const device = await deviceForSale(db, order.deviceSid)
  if (device?.status === deviceStatuses.offline) return refuse('deviceOffline')
  // One that was not answered is followed by a new one; while one is on its way another press changes nothing.
  const { count, live } = await countCommands(db, order.orderId, 'stop')
  if (live === 0) {
    const { deviceId, orderId } = order
    const commandId = `${orderId}-S${count + 1}`
    await requestStop(db, {
      commandId,
      deviceId,
      orderId,
      stops,
      requestedBy: 'customer',
      isWaitedFor: true,
    })
  }
  return { ...shown, stopping: true }
}

async function cancel(
  services: PayPageServices,
  context: CallContext<typeof cancelPayOrder>,
): Promise<DataOf<typeof cancelPayOrder>> {
  const { db, input, now, refuse } = context
  const customer = await knownCustomer(db, context)
  const shown = customer && (await findPayPageOrder(db, customer.id, input.orderId, now))
  if (!customer || !shown) return refuse('notFound')
  const payment = shown.phase === 'paying' ? await findOpenPayment(db, input.orderId) : undefined
  if (!payment) return refuse('notPossible')
  const outcome = await closePayment(services.payments, payment, now)
  // It may still be paid: whether it can be given up, the provider alone knows.
  if (outcome === 'unknown') return refuse('providerNoAnswer')
  return (await findPayPageOrder(db, customer.id, input.orderId, new Date())) ?? refuse('notFound')
}
