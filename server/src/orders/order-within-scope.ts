import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { betweenTimesOf, lockOrder, type OrderRecord } from './change-order-status.ts'
import { timeOfOrderId } from './order-id.ts'

/** Whoever sells or starts a chair waits here, so that it is one thing at a time. Before any order is locked. */
export async function lockChair(db: Database, deviceId: number): Promise<void> {
  // Commands refer to the chair meanwhile; that needs no waiting.
  await sql`select 1 from devices where id = ${deviceId} for no key update`.execute(db)
}

/**
 * Whose the chairs of some orders are, by the chair's id; nobody's when it was removed. They stay so to the end of the
 * transaction: whoever moves one waits. Before any order is locked.
 */
export async function lockHoldersOfChairs(
  db: Database,
  orderIds: readonly string[],
): Promise<ReadonlyMap<number, number | null>> {
  const orders = orderIds.flatMap((orderId) => {
    const orderTime = timeOfOrderId(orderId)
    return orderTime ? [{ orderId, orderTime }] : []
  })
  if (orders.length === 0) return new Map()
  const { rows } = await sql<{ id: number; merchantId: number | null }>`
    select d.id, case when d.removed_at is null then d.merchant_id end as "merchantId" from devices d
     where d.id in (select o.device_id from orders o
                     where o.order_id = any(${orders.map(({ orderId }) => orderId)}) and ${betweenTimesOf(orders)})
     order by d.id for share of d`.execute(db)
  return new Map(rows.map(({ id, merchantId }) => [id, merchantId]))
}

/**
 * An order locked for change, when it is the caller's to change; somebody else's does not exist (decisions §1).
 * `withChair` locks its chair too.
 */
export async function lockOrderWithin(
  db: Database,
  scope: Scope,
  orderId: string,
  { withChair = false } = {},
): Promise<OrderRecord | undefined> {
  const time = timeOfOrderId(orderId)
  if (!time) return undefined
  const { rows } = await sql<{ deviceId: number | null }>`
    select o.device_id as "deviceId" from orders o where o.order_id = ${orderId} and o.order_time = ${time}
       and ${withinScope(scope, { merchantId: sql`o.merchant_id`, placeId: sql`o.place_id` })}`.execute(db)
  const found = rows[0]
  if (!found) return undefined
  if (withChair && found.deviceId !== null) await lockChair(db, found.deviceId)
  return lockOrder(db, orderId)
}
