/* The plain way to the same answers: OFFSET, COUNT and SUM over the rows themselves. */

/** What is asked for; ids and days as the product takes them. */
export interface PlainQuery {
  role: 'merchant' | 'agent' | 'admin'
  organisationId: number
  /** Instants, from the first up to but not the second. */
  from: string
  before: string
}

export const rowColumns = `
  o.order_id, o.order_time, o.status, m.name as merchant_name, o.device_sid, o.goods_name, o.address, o.duration_minutes,
  o.fee_cents, case when o.paid_at is null then 0 else o.fee_cents - o.refunded_cents end as actual_cents, o.pay_channel,
  o.transaction_id, o.channel_account`

export const rowTables = 'orders o left join organisations m on m.id = o.merchant_id'

/** Conditions with the parameters they need; the third parameter is the organisation. */
export function conditionsOf({ role, organisationId, from, before }: PlainQuery): {
  where: string
  values: (string | number)[]
} {
  const period = 'o.order_time >= $1 and o.order_time < $2'
  switch (role) {
    case 'admin':
      return { where: period, values: [from, before] }
    case 'merchant':
      return { where: `${period} and o.merchant_id = $3`, values: [from, before, organisationId] }
    case 'agent':
      return {
        where: `${period} and o.merchant_id in (
          select id from organisations where path <@ (select path from organisations where id = $3))`,
        values: [from, before, organisationId],
      }
  }
}
