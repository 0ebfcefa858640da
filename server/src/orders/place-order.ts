import { deviceStatuses, type payPageDeviceStates, type Refusal } from '@chairside/contract'
import { goodsOnOffer, takeFromStock, type GoodsOnOffer } from '../catalogue/goods-on-offer.ts'
import { requestStarts } from '../devices/device-commands.ts'
import { deviceForSale, type DeviceForSale } from '../devices/device-for-sale.ts'
import { sql, type Database } from '../kit/database.ts'
import type { Customer } from '../members/customers.ts'
import { channelForMerchant } from '../payments/pay-channels.ts'
import { createPayment } from '../payments/prepare-payment.ts'
import { RefusedError } from '../kit/call.ts'
import { changeStatuses, paid, unpaid } from './change-order-status.ts'
import { newOrderId } from './order-id.ts'
import { isChairTaken } from './pay-page-order.ts'

export interface PlacingSettings {
  timeZone: string
  paymentWindowSeconds: number
}

/** Calendar day and time of the platform at an instant. */
export function localTime(now: Date, timeZone: string): { day: string; time: string } {
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(now)
    .split(' ')
  return { day, time }
}

type State = (typeof payPageDeviceStates)[number]

const isOpenAt = ({ openTime, closeTime }: DeviceForSale, time: string) => {
  if (openTime === null || closeTime === null) return true
  const [opens, closes] = [openTime.slice(0, 5), closeTime.slice(0, 5)]
  return opens <= closes ? time >= opens && time < closes : time >= opens || time < closes
}

/** Whether a chair can be bought now, and why not. */
export async function saleStateOf(
  db: Database,
  device: DeviceForSale,
  customerId: number | null,
  now: Date,
  settings: PlacingSettings,
): Promise<State> {
  if (device.blocked) return 'blocked'
  if (device.locked > 0) return 'locked'
  if (device.merchantId === null || device.cannotSell.length > 0) return 'cannotSell'
  if (device.status === deviceStatuses.offline) return 'offline'
  if (device.status === deviceStatuses.trouble) return 'trouble'
  if (device.running || (await isChairTaken(db, device.id, now, settings.paymentWindowSeconds, customerId)))
    return 'busy'
  return isOpenAt(device, localTime(now, settings.timeZone).time) ? 'ready' : 'closedNow'
}

const refusalOf: Record<Exclude<State, 'ready' | 'running'>, Refusal> = {
  busy: 'deviceBusy',
  offline: 'deviceOffline',
  trouble: 'deviceOffline',
  locked: 'deviceLocked',
  blocked: 'deviceBlocked',
  cannotSell: 'deviceCannotSell',
  closedNow: 'goodsNotAvailable',
}

/** What a customer pays: nothing for a first use that is free to whom a provider knows, so that it is free once. */
export async function priceFor(
  db: Database,
  goods: GoodsOnOffer,
  merchantId: number,
  customer: Customer,
): Promise<number> {
  if (!goods.freeFirst || customer.openId === null) return goods.priceCents
  const { rows } = await sql`
    select 1 from orders o join customers c on c.id = o.customer_id
     where c.open_id = ${customer.openId} and o.merchant_id = ${merchantId} and o.status not in (1, 2) limit 1`.execute(
    db,
  )
  return rows.length === 0 ? 0 : goods.priceCents
}

export interface Wanted {
  deviceId: string
  goodsId: number
  payWay: 'jsapi' | 'native'
  requestKey: string
}

export interface PlacedOrder {
  orderId: string
  /** Undefined for an order that costs nothing. */
  outTradeNo: string | undefined
  description: string
}

/**
 * Places an order in one transaction: the chair is held, one is taken from the stock, the payment is made ready to be
 * asked for. The same request key again answers the order it made.
 * @throws RefusedError naming why the chair or the item cannot be had
 */
export async function placeOrder(
  db: Database,
  customer: Customer,
  wanted: Wanted,
  now: Date,
  settings: PlacingSettings,
): Promise<PlacedOrder> {
  const repeated = await findByRequestKey(db, customer.id, wanted.requestKey, now)
  if (repeated) return repeated
  const device = await deviceForSale(db, wanted.deviceId)
  if (!device) throw new RefusedError('notFound')
  // Whoever wants this chair waits here, so that it is sold once.
  await sql`select 1 from devices where id = ${device.id} for update`.execute(db)
  const again = await findByRequestKey(db, customer.id, wanted.requestKey, now)
  if (again) return again
  const state = await saleStateOf(db, device, null, now, settings)
  if (state !== 'ready' && state !== 'running') throw new RefusedError(refusalOf[state])
  const goods = (await goodsOnOffer(db, device, localTime(now, settings.timeZone))).find(
    ({ id }) => id === wanted.goodsId,
  )
  if (!goods || device.merchantId === null) throw new RefusedError('goodsNotAvailable')
  if (goods.memberOnly) throw new RefusedError('membersOnly')
  if (!(await takeFromStock(db, goods.id))) throw new RefusedError('goodsSoldOut')

  const order = {
    orderId: newOrderId('KT', now),
    orderTime: now,
    merchantId: device.merchantId,
    status: unpaid,
  }
  const feeCents = await priceFor(db, goods, device.merchantId, customer)
  await sql`
    insert into orders (order_id, order_time, merchant_id, place_id, device_id, device_sid, goods_id, goods_name, goods_name_en, address,
                        duration_minutes, fee_cents, status, customer_id, request_key)
    values (${order.orderId}, ${now}, ${order.merchantId}, ${device.placeId}, ${device.id}, ${device.sid}, ${goods.id}, ${goods.name}, ${goods.nameEn},
            ${device.placeAddress}, ${goods.durationMinutes}, ${feeCents}, 1, ${customer.id}, ${wanted.requestKey})`.execute(
    db,
  )
  await sql`
    insert into order_history (order_id, order_time, merchant_id, at, to_status, cause, by_whom)
    values (${order.orderId}, ${now}, ${order.merchantId}, ${now}, 1, 'placed', 'customer')`.execute(db)
  const description = `${device.merchantName} ${goods.name}`
  if (feeCents === 0) {
    await startForFree(db, order, device.id, goods.durationMinutes * 60, now)
    return { orderId: order.orderId, outTradeNo: undefined, description }
  }
  const channel = await channelForMerchant(db, device.merchantId)
  if (!channel) throw new RefusedError('deviceCannotSell')
  const outTradeNo = await createPayment(db, {
    orderId: order.orderId,
    merchantId: order.merchantId,
    channelId: channel.id,
    amountCents: feeCents,
    trade: wanted.payWay,
    payerId: wanted.payWay === 'jsapi' ? customer.openId : null,
    expiresAt: new Date(now.getTime() + settings.paymentWindowSeconds * 1000),
    now,
  })
  return { orderId: order.orderId, outTradeNo, description }
}

async function findByRequestKey(
  db: Database,
  customerId: number,
  requestKey: string,
  now: Date,
): Promise<PlacedOrder | undefined> {
  const { rows } = await sql<PlacedOrder>`
    select o.order_id as "orderId", (select max(out_trade_no) from payments p where p.order_id = o.order_id) as "outTradeNo", o.goods_name as description
      from orders o
     where o.customer_id = ${customerId} and o.request_key = ${requestKey} and o.order_time > ${now}::timestamptz - interval '1 day' limit 1`.execute(
    db,
  )
  return rows[0] && { ...rows[0], outTradeNo: rows[0].outTradeNo ?? undefined }
}

/** What costs nothing is a use like any other, in no total of income: it counts as paid from a member account. */
async function startForFree(
  db: Database,
  order: { orderId: string; orderTime: Date; merchantId: number; status: typeof unpaid },
  deviceId: number,
  durationSeconds: number,
  now: Date,
): Promise<void> {
  await sql`
    update orders set pay_channel = 'custAccount', paid_at = ${now}
     where order_id = ${order.orderId} and order_time = ${order.orderTime}`.execute(db)
  await changeStatuses(db, [{ order, to: paid, cause: 'free of charge', byWhom: 'system' }])
  await requestStarts(db, [
    { commandId: order.orderId, deviceId, orderId: order.orderId, durationSeconds, requestedBy: 'system' },
  ])
}
