import type { OrderRow } from '@chairside/contract'
import { sql } from '../kit/database.ts'

/** Columns of a row as it is sent: an instant's text is made here, where an export has a processor to spare. */
export const orderColumns = sql`
  o.order_id as "orderId", o.device_sid as "deviceSid", o.merchant_id as "merchantId", m.name as "merchantName",
  coalesce(m.owner_user_name, '') as "merchantUserId", o.duration_minutes as duration, o.fee_cents as "orderFee",
  order_actual_cents(o.paid_at, o.fee_cents, o.refunded_cents) as "actualFee", o.status::text as status,
  o.finished_at is not null as finished,
  to_char(o.order_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "orderTime", o.pay_channel as "payChannel",
  o.transaction_id as "payId", o.goods_name as "goodsName", o.address, o.channel_account as "channelAccount"`

export const orderNames = sql`
  left join organisations m on m.id = o.merchant_id`

/** Where all orders are of one merchant, it is looked up once. */
export const namesOfMerchant = (merchantId: number) => sql`
  (select ${merchantId}::bigint as id) the_merchant
  left join organisations m on m.id = the_merchant.id`

/** A row of a page with the exact number of all that match; a page past the end has that in a row without an order. */
export type CountedRow = { total: number } & (OrderRow | { orderId: null })

/** Made field by field: to copy the rest of a row takes several times as long. */
export function orderOf(row: CountedRow): OrderRow[] {
  if (row.orderId === null) return []
  return [
    {
      orderId: row.orderId,
      deviceSid: row.deviceSid,
      merchantId: row.merchantId,
      merchantName: row.merchantName,
      merchantUserId: row.merchantUserId,
      duration: row.duration,
      orderFee: row.orderFee,
      actualFee: row.actualFee,
      status: row.status,
      finished: row.finished,
      orderTime: row.orderTime,
      payChannel: row.payChannel,
      payId: row.payId,
      goodsName: row.goodsName,
      address: row.address,
      channelAccount: row.channelAccount,
    },
  ]
}
