import { goodsOnOffer, holdGoods, takeFromStock, type GoodsOnOffer } from '../catalogue/goods-on-offer.ts'
import { requestStarts } from '../devices/device-commands.ts'
import { deviceForSale, type DeviceForSale } from '../devices/device-for-sale.ts'
import { RefusedError } from '../kit/call.ts'
import { sql, type Database } from '../kit/database.ts'
import type { Customer } from '../members/customers.ts'
import { channelForMerchant } from '../payments/pay-channels-sql.ts'
import { createPayment } from '../payments/prepare-payment.ts'
import { changeStatuses, lockOrders, paid, unpaid } from './change-order-status.ts'
import { newOrderId } from './order-id.ts'
import { lockChair } from './order-within-scope.ts'
import { earliestOpen } from './recent-orders.ts'
import { localTime, opensAt, saleRefusals, saleStateOf, type PlacingSettings } from './sale-state.ts'
import { closeOrder, startOf } from './settle-payment.ts'

/**
 * Whether a customer's next use at a merchant is the first. Only of somebody whom a provider knows: a new cookie must
 * not be a new first time, nor a browser that somebody else has signed in with since. A use that never started does not
 * count.
 */
export async function isFirstUse(db: Database, merchantId: number, customer: Customer): Promise<boolean> {
  if (customer.openId === null) return false
  const { rows } = await sql`
    select 1 from customer_payers p join orders o on o.customer_id = p.customer_id
     where p.app_id = ${customer.appId} and p.open_id = ${customer.openId} and o.merchant_id = ${merchantId} and (o.status in (3, 4, 5, 6) or o.started_at is not null) limit 1`.execute(
    db,
  )
  return rows.length === 0
}

export interface Wanted {
  deviceId: string
  goodsId: number
  payWay: 'jsapi' | 'native'
  requestKey: string
  /** What the customer saw, where it is told. */
  priceCents?: number | undefined
  durationMinutes?: number | undefined
}

export interface PlacedOrder {
  orderId: string
  /** Undefined for an order that costs nothing. */
  outTradeNo: string | undefined
  description: string
}

/**
 * Places an order in one transaction: the chair is held, one is taken from the stock, the payment is made ready to be
 * asked for. The same request key again answers the order it made; an unpaid order of the same customer for the same
 * chair is given up.
 * @throws RefusedError naming why the chair or the item cannot be had
 */
export async function placeOrder(
  db: Database,
  customer: Customer,
  wanted: Wanted,
  now: Date,
  settings: PlacingSettings,
): Promise<PlacedOrder> {
  await lockCustomer(db, customer)
  const repeated = await findByRequestKey(db, customer.id, wanted.requestKey, now)
  if (repeated) return repeated
  const { device, merchantId } = await holdChair(db, wanted.deviceId, customer.id, now, settings)
  await closeEarlier(db, customer.id, device.id, wanted.goodsId, now)
  const goods = await takeGoods(db, device, wanted.goodsId, now, settings, false)
  const isFree = goods.priceCents === 0 || (goods.freeFirst && (await isFirstUse(db, merchantId, customer)))
  const feeCents = isFree ? 0 : goods.priceCents
  assertAsSeen(wanted, feeCents, goods.durationMinutes)
  const order = await insertOrder(db, {
    device,
    merchantId,
    goods,
    feeCents,
    now,
    customerId: customer.id,
    requestKey: wanted.requestKey,
  })
  const description = `${device.merchantName} ${goods.name}`
  if (isFree) {
    await startForFree(db, order)
    return { orderId: order.orderId, outTradeNo: undefined, description }
  }
  const channel = await channelForMerchant(db, merchantId)
  if (!channel) throw new RefusedError('deviceCannotSell')
  const outTradeNo = await createPayment(db, {
    orderId: order.orderId,
    merchantId,
    channelId: channel.id,
    amountCents: goods.priceCents,
    trade: wanted.payWay,
    payerId: wanted.payWay === 'jsapi' ? customer.openId : null,
    expiresAt: new Date(now.getTime() + settings.paymentWindowSeconds * 1000),
    now,
  })
  return { orderId: order.orderId, outTradeNo, description }
}

/** Nobody pays more, or for less time, than what stood on the page when the button was pressed. */
function assertAsSeen(seen: Wanted, feeCents: number, minutes: number): void {
  const costsMore = seen.priceCents !== undefined && feeCents > seen.priceCents
  const isShorter = seen.durationMinutes !== undefined && minutes < seen.durationMinutes
  if (costsMore || isShorter) throw new RefusedError('goodsChanged')
}

/**
 * Presses of one customer follow each other, also of one who has several browsers, whoever uses those now: a first use
 * is free once.
 */
async function lockCustomer(db: Database, { id, appId, openId }: Customer): Promise<void> {
  await sql`
    select 1 from customers
     where id = any(array(select customer_id from customer_payers where app_id = ${appId} and open_id = ${openId}) || ${id}::bigint)
     order by id for no key update`.execute(db)
}

async function findByRequestKey(
  db: Database,
  customerId: number,
  requestKey: string,
  now: Date,
): Promise<PlacedOrder | undefined> {
  const { rows } = await sql<{ orderId: string; outTradeNo: string | null; description: string }>`
    select o.order_id as "orderId", (select max(out_trade_no) from payments p where p.order_id = o.order_id) as "outTradeNo",
           concat_ws(' ', m.name, o.goods_name) as description
      from orders o left join organisations m on m.id = o.merchant_id
     where o.customer_id = ${customerId} and o.request_key = ${requestKey} and o.order_time > ${earliestOpen(now)} limit 1`.execute(
    db,
  )
  return rows[0] && { ...rows[0], outTradeNo: rows[0].outTradeNo ?? undefined }
}

/** Locks a chair that can be sold now. */
export async function holdChair(
  db: Database,
  sid: string,
  customerId: number | null,
  now: Date,
  settings: PlacingSettings,
): Promise<{ device: DeviceForSale; merchantId: number }> {
  const found = await deviceForSale(db, sid)
  if (!found) throw new RefusedError('notFound')
  await lockChair(db, found.id)
  const device = await deviceForSale(db, sid)
  // Removed while the lock was waited for.
  if (!device) throw new RefusedError('notFound')
  const state = await saleStateOf(db, device, customerId, now, settings)
  if (state === 'closedNow') throw new RefusedError('placeClosed', { data: { opensAt: opensAt(device) } })
  if (state !== 'ready') throw new RefusedError(saleRefusals[state])
  if (device.merchantId === null) throw new RefusedError('deviceCannotSell')
  return { device, merchantId: device.merchantId }
}

/** The customer chose again. If the earlier payment comes in after all, it is refunded automatically. */
async function closeEarlier(
  db: Database,
  customerId: number,
  deviceId: number,
  chosenId: number,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id as "orderId" from orders
     where customer_id = ${customerId} and device_id = ${deviceId} and status = 1 and order_time > ${earliestOpen(now)}`.execute(
    db,
  )
  const orders = await lockOrders(
    db,
    rows.map(({ orderId }) => orderId),
  )
  // What is put back and what is taken then: somebody else may choose the other way round.
  if (orders.length > 0) await holdGoods(db, [chosenId, ...orders.flatMap(({ goodsId }) => goodsId ?? [])])
  for (const order of orders) {
    // Paid in the meantime: then the chair is this customer's already.
    if (order.status === paid) throw new RefusedError('deviceBusy')
    if (order.status === unpaid) await closeOrder(db, order, 'the customer chose anew', 'customer')
  }
}

/** One of the goods a chair offers now, taken from the stock. */
export async function takeGoods(
  db: Database,
  device: DeviceForSale,
  goodsId: number,
  now: Date,
  settings: PlacingSettings,
  isMember: boolean,
): Promise<TakenGoods> {
  const offered = await goodsOnOffer(db, device, localTime(now, settings.timeZone))
  const goods = offered.find(({ id }) => id === goodsId)
  if (!goods) throw new RefusedError('goodsNotAvailable')
  if (goods.memberOnly && !isMember) throw new RefusedError('membersOnly')
  const took = await takeFromStock(db, goods.id)
  if (took === 'soldOut') throw new RefusedError('goodsSoldOut')
  return { ...goods, tookStock: took === 'taken' }
}

interface TakenGoods extends GoodsOnOffer {
  /** One was taken from a limited stock. */
  tookStock: boolean
}

export interface NewOrder {
  device: DeviceForSale
  merchantId: number
  goods: TakenGoods
  feeCents: number
  now: Date
  customerId?: number
  memberId?: number
  phone?: string
  requestKey: string
}

/** An unpaid order, with the first row of its history. */
export async function insertOrder(db: Database, placed: NewOrder) {
  const { device, merchantId, goods, feeCents, now } = placed
  const order = {
    orderId: newOrderId('KT', now),
    orderTime: now,
    merchantId,
    placeId: device.placeId,
    deviceId: device.id,
    durationMinutes: goods.durationMinutes,
    status: unpaid,
  }
  await sql`
    insert into orders (order_id, order_time, merchant_id, place_id, device_id, device_sid, goods_id, goods_name, goods_name_en, address,
                        duration_minutes, fee_cents, status, customer_id, member_id, phone, request_key, took_stock)
    values (${order.orderId}, ${now}, ${merchantId}, ${device.placeId}, ${device.id}, ${device.sid}, ${goods.id}, ${goods.name}, ${goods.nameEn},
            ${device.placeAddress}, ${goods.durationMinutes}, ${feeCents}, 1, ${placed.customerId ?? null}, ${placed.memberId ?? null},
            ${placed.phone ?? ''}, ${placed.requestKey}, ${goods.tookStock})`.execute(db)
  const byWhom = placed.memberId === undefined ? 'customer' : 'member'
  await sql`
    insert into order_history (order_id, order_time, merchant_id, at, to_status, cause, by_whom)
    values (${order.orderId}, ${now}, ${merchantId}, ${now}, 1, 'placed', ${byWhom})`.execute(db)
  return order
}

/** What costs nothing is a use like any other. No money moved, so no channel is named and no income booked. */
async function startForFree(db: Database, order: Awaited<ReturnType<typeof insertOrder>>): Promise<void> {
  await sql`
    update orders set paid_at = ${order.orderTime}
     where order_id = ${order.orderId} and order_time = ${order.orderTime} and merchant_id = ${order.merchantId}`.execute(
    db,
  )
  await changeStatuses(db, [{ order, to: paid, cause: 'free of charge', byWhom: 'system' }])
  await requestStarts(db, startOf(order))
}
