import { requestStarts } from '../devices/device-commands.ts'
import { RefusedError } from '../kit/call.ts'
import { sql, type Database } from '../kit/database.ts'
import { spendBalance } from '../members/member-balance.ts'
import { incomeKindOf, recordIncome } from '../money/income.ts'
import { BalanceTooLowError } from '../money/post-transfers.ts'
import { changeStatuses, paid } from './change-order-status.ts'
import { holdChair, insertOrder, takeGoods } from './place-order.ts'
import { earliestOpen } from './recent-orders.ts'
import type { PlacingSettings } from './sale-state.ts'
import { startOf } from './settle-payment.ts'

interface MemberRow {
  merchantId: number
  mobile: string
}

/**
 * Places an order that a member pays from the balance, in one transaction: the money is spent and the chair asked to
 * start, or nothing happens. The same request key again answers the order it made.
 * @throws RefusedError naming why the chair or the item cannot be had; `balanceTooLow`
 */
export async function placeMemberOrder(
  db: Database,
  wanted: { memberId: number; deviceId: string; goodsId: number; requestKey: string },
  now: Date,
  settings: PlacingSettings,
): Promise<{ orderId: string }> {
  const member = await lockMember(db, wanted.memberId)
  if (!member) throw new RefusedError('notFound')
  const repeated = await findByRequestKey(db, wanted, now)
  if (repeated !== undefined) return { orderId: repeated }
  const { device, merchantId } = await holdChair(db, wanted.deviceId, null, now, settings)
  // A balance is with one merchant and is spent there.
  if (merchantId !== member.merchantId) throw new RefusedError('notFound')
  const goods = await takeGoods(db, device, wanted.goodsId, now, settings, true)
  const order = await insertOrder(db, {
    device,
    merchantId,
    goods,
    feeCents: goods.priceCents,
    now,
    memberId: wanted.memberId,
    phone: member.mobile,
    requestKey: wanted.requestKey,
  })
  await payFromBalance(db, order, wanted.memberId, goods.priceCents)
  await requestStarts(db, startOf(order))
  return { orderId: order.orderId }
}

async function lockMember(db: Database, memberId: number): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select merchant_id as "merchantId", mobile from members where id = ${memberId} and not locked for update`.execute(
    db,
  )
  return rows[0]
}

async function findByRequestKey(
  db: Database,
  { memberId, requestKey }: { memberId: number; requestKey: string },
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id as "orderId" from orders
     where member_id = ${memberId} and request_key = ${requestKey} and order_time > ${earliestOpen(now)} limit 1`.execute(
    db,
  )
  return rows[0]?.orderId
}

async function payFromBalance(
  db: Database,
  order: Awaited<ReturnType<typeof insertOrder>>,
  memberId: number,
  amountCents: number,
): Promise<void> {
  const { orderId, orderTime, merchantId, placeId, deviceId } = order
  await sql`
    update orders set pay_channel = 'custAccount', paid_at = ${orderTime}
     where order_id = ${orderId} and order_time = ${orderTime} and merchant_id = ${merchantId}`.execute(db)
  await changeStatuses(db, [{ order, to: paid, cause: 'paid from the balance', byWhom: 'member' }])
  try {
    const money = { orderId, orderTime, merchantId, channel: 'custAccount', heldByPlatform: false } as const
    await spendBalance(db, money, memberId, amountCents)
  } catch (error) {
    if (error instanceof BalanceTooLowError) throw new RefusedError('balanceTooLow')
    throw error
  }
  const kind = incomeKindOf(orderId, 'custAccount')
  await recordIncome(db, [{ merchantId, placeId, deviceId, kind, at: orderTime, amountCents, count: 1 }])
}
