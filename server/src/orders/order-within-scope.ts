import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { lockOrder, type OrderRecord } from './change-order-status.ts'
import { timeOfOrderId } from './order-id.ts'

/** An order locked for change, when it is the caller's to change; somebody else's does not exist (decisions §1). */
export async function lockOrderWithin(
  db: Database,
  scope: Scope,
  orderId: string,
): Promise<OrderRecord | undefined> {
  const time = timeOfOrderId(orderId)
  if (!time) return undefined
  const { rows } = await sql`
    select 1 from orders o where o.order_id = ${orderId} and o.order_time = ${time}
       and ${withinScope(scope, { merchantId: sql`o.merchant_id`, placeId: sql`o.place_id` })}`.execute(db)
  return rows.length === 1 ? lockOrder(db, orderId) : undefined
}
