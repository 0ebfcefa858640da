import type { FoundDevice, FoundOrder } from '@chairside/contract'
import { plannedOnce, sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

/**
 * Orders with a number of theirs: their own, that of an attempt to pay, or the provider's. Each is looked up in the index
 * of whole numbers, whenever the order was.
 */
export async function findOrdersByNumber(
  db: Database,
  scope: Scope,
  number: string,
  take: number,
): Promise<Omit<FoundOrder, 'year'>[]> {
  const within = withinScope(scope, { merchantId: sql`o.merchant_id`, placeId: sql`o.place_id` })
  const columns = sql`o.order_id, o.order_time, o.status, o.fee_cents, o.device_sid, o.merchant_id`
  const ours = number.toUpperCase()
  const { rows } = await sql<Omit<FoundOrder, 'year' | 'orderTime'> & { orderTime: Date }>`${plannedOnce}
    select found.order_id as "orderId", found.order_time as "orderTime", found.status::text as status,
           found.fee_cents as "orderFee", found.device_sid as "deviceSid", coalesce(m.name, '') as "merchantName"
      from (
        select ${columns} from orders o where o.transaction_id = ${number} and ${within}
        union
        select ${columns} from orders o
         where o.order_id in (${ours}, (select order_id from payments where out_trade_no = ${ours} limit 1))
           and ${within}) found
      left join organisations m on m.id = found.merchant_id
     order by found.order_time desc, found.order_id limit ${take}`.execute(db)
  return rows.map((row) => ({ ...row, orderTime: row.orderTime.toISOString() }))
}

/** Devices whose id begins with some capitals and digits, in the order of their ids. */
export async function findDevicesByBeginning(
  db: Database,
  scope: Scope,
  beginning: string,
  take: number,
): Promise<FoundDevice[]> {
  const { rows } = await sql<FoundDevice>`
    select found.sid as "deviceId", found.name, coalesce(m.name, '') as "merchantName", coalesce(found.place_address, '') as "placeAddress"
      from (
        select d.sid, d.name, d.merchant_id, d.place_address from devices d
         where d.removed_at is null and d.sid >= ${beginning} and d.sid < ${`${beginning}[`}
           and ${withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })}
         order by d.sid limit ${take}) found
      left join organisations m on m.id = found.merchant_id
     order by found.sid`.execute(db)
  return rows
}
