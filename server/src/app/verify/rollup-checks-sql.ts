import { sql } from '../../kit/database.ts'
import type { Check } from './run-checks.ts'

/** Counters of days as they will be once everything is folded. */
const keptCounters = sql`
  select scope_kind, scope_id, day, status, pay_channel, sum(orders) as orders, sum(fee_cents) as fee_cents, sum(actual_cents) as actual_cents
    from (
      select scope_kind::text, scope_id, day, status, pay_channel, orders, fee_cents, actual_cents from order_day_counters
      union all
      select 'o', scope.id, d.day, d.status, d.pay_channel, d.orders, d.fee_cents, d.actual_cents
        from order_counter_deltas d join organisations m on m.id = d.merchant_id
        join organisations scope on scope.id = any(string_to_array(m.path::text, '.')::bigint[])
      union all
      select 'p', place_id, day, status, pay_channel, orders, fee_cents, actual_cents from order_counter_deltas where place_id is not null) c
   group by 1, 2, 3, 4, 5
  having sum(orders) <> 0 or sum(fee_cents) <> 0 or sum(actual_cents) <> 0`

const countsOf = (alias: string) =>
  sql.raw(
    `concat_ws(' ', coalesce(${alias}.orders, 0), coalesce(${alias}.fee_cents, 0), coalesce(${alias}.actual_cents, 0))`,
  )

const qrKinds = ['wechat', 'alipay', 'ccb', 'unionpay']
const countedKinds = ['recharge', 'other', 'member']
const incomeColumns = [
  ...qrKinds.map((kind) => `${kind}_income_cents`),
  'qrcode_count',
  ...countedKinds.flatMap((kind) => [`${kind}_income_cents`, `${kind}_count`]),
]
const kept = sql.raw(incomeColumns.join(', '))
const sums = sql.raw(incomeColumns.map((column) => `sum(${column}) as ${column}`).join(', '))
const incomeOf = (alias: string) =>
  sql.raw(`concat_ws(' ', ${incomeColumns.map((column) => `coalesce(${alias}.${column}, 0)`).join(', ')})`)

/** A (kind, amount_cents, count) as the columns of the rollups. */
const columnsOfKind = sql.raw(
  [
    ...qrKinds.map(
      (kind) => `case when kind = '${kind}' then amount_cents else 0 end as ${kind}_income_cents`,
    ),
    `case when kind in (${qrKinds.map((kind) => `'${kind}'`).join(', ')}) then count else 0 end as qrcode_count`,
    ...countedKinds.flatMap((kind) => [
      `case when kind = '${kind}' then amount_cents else 0 end as ${kind}_income_cents`,
      `case when kind = '${kind}' then count else 0 end as ${kind}_count`,
    ]),
  ].join(', '),
)

/**
 * Income calculated again (decisions §6): what orders were paid, on the day they were, and what they gave back, on the day
 * that succeeded. The way back of a second payment is none of it, because that payment was no income either.
 */
const incomeFacts = sql`
  select merchant_id, place_id, day, ${columnsOfKind} from (
    select o.merchant_id, o.place_id, (moved.at at time zone s.time_zone)::date as day, moved.amount_cents, moved.count,
           case when left(o.order_id, 2) = 'CZ' then 'recharge' when o.pay_channel like 'wechat%' then 'wechat' when o.pay_channel = 'aliPay' then 'alipay'
                when o.pay_channel = 'ccbPay' then 'ccb' when o.pay_channel = 'unionPay' then 'unionpay'
                when o.pay_channel = 'custAccount' then 'member' else 'other' end as kind
      from orders o cross join platform_settings s join (
        select order_id, paid_at as at, fee_cents as amount_cents, 1 as count from orders where paid_at is not null
        union all
        select t.order_id, coalesce(given.settled_at, asked.settled_at, t.booked_at), -t.amount_cents, 0
          from (select substring(cause from '[A-Z]{2}[0-9]{15}[0-9A-Z]{4}') as order_id, substring(cause from 8) as reference, booked_at, amount_cents
                  from ledger_transfers where cause like 'refund:%') t
          join orders o on o.order_id = t.order_id
          left join provider_refunds given on given.out_refund_no = t.reference
          left join payments paid on paid.out_trade_no = given.out_trade_no
          left join (select order_id, max(settled_at) as settled_at from refunds where status in (1, 3) group by order_id) asked on asked.order_id = t.order_id
         where paid.transaction_id is null or paid.transaction_id = o.transaction_id) moved on moved.order_id = o.order_id
     where o.pay_channel is not null and (o.fee_cents > 0 or o.pay_channel = 'custAccount')) facts`

/** Claims about the rollups that lists and reports read: with what is not folded yet, they equal the facts. */
export const rollupChecks: readonly Check[] = [
  {
    claim: 'Day counters of every scope equal the orders',
    compared: sql`
      select concat_ws(' ', 'scope', scope_kind, scope_id, 'on', day, 'status', status, pay_channel) as subject,
             ${countsOf('f')} as expected, ${countsOf('k')} as found
        from order_counters_of_facts() f full join (${keptCounters}) k using (scope_kind, scope_id, day, status, pay_channel)`,
  },
  {
    claim: 'Month counters equal their days',
    compared: sql`
      select concat_ws(' ', 'scope', scope_kind, scope_id, 'in', month, 'status', status, pay_channel) as subject,
             ${countsOf('d')} as expected, ${countsOf('m')} as found
        from (select scope_kind, scope_id, date_trunc('month', day)::date as month, status, pay_channel, sum(orders) as orders,
                     sum(fee_cents) as fee_cents, sum(actual_cents) as actual_cents
                from order_day_counters group by 1, 2, 3, 4, 5) d
        full join order_month_counters m using (scope_kind, scope_id, month, status, pay_channel)`,
  },
  {
    claim: 'Totals of months and days equal their counters',
    compared: sql`
      select concat_ws(' ', 'scope', scope_kind, scope_id, 'in', month) as subject, ${countsOf('c')} as expected, ${countsOf('t')} as found
        from (select scope_kind, scope_id, month, sum(orders) as orders, sum(fee_cents) as fee_cents, sum(actual_cents) as actual_cents
                from order_month_counters group by 1, 2, 3) c
        full join order_month_totals t using (scope_kind, scope_id, month)
      union all
      select concat_ws(' ', 'scope', scope_kind, scope_id, 'on', day), coalesce(c.orders, 0)::text, coalesce(t.orders, 0)::text
        from (select scope_kind, scope_id, day, sum(orders) as orders from order_day_counters group by 1, 2, 3) c
        full join order_day_totals t using (scope_kind, scope_id, day)`,
  },
  {
    claim: 'Income of each merchant and day equals its orders and refunds',
    compared: sql`
      select concat_ws(' ', 'merchant', merchant_id, 'on', day) as subject, ${incomeOf('f')} as expected, ${incomeOf('k')} as found
        from (select merchant_id, day, ${sums} from (${incomeFacts}) i group by 1, 2) f
        full join (select merchant_id, day, ${sums} from (
                     select merchant_id, day, ${kept} from income_days
                     union all select merchant_id, day, ${columnsOfKind} from income_deltas) i group by 1, 2) k using (merchant_id, day)`,
  },
  {
    claim: 'Income of each place and day equals its orders and refunds',
    compared: sql`
      select concat_ws(' ', 'place', place_id, 'on', day) as subject, ${incomeOf('f')} as expected, ${incomeOf('k')} as found
        from (select place_id, day, ${sums} from (${incomeFacts}) i where place_id is not null group by 1, 2) f
        full join (select place_id, day, ${sums} from (
                     select place_id, day, ${kept} from income_place_days
                     union all select place_id, day, ${columnsOfKind} from income_deltas where place_id is not null) i group by 1, 2) k
          using (place_id, day)`,
  },
  {
    claim: 'Income of agents and the platform equals that of the merchants below',
    compared: sql`
      select concat_ws(' ', 'scope', scope_id, 'on', day) as subject, ${incomeOf('m')} as expected, ${incomeOf('s')} as found
        from (select scope.id as scope_id, i.day, ${sums}
                from income_days i join organisations o on o.id = i.merchant_id
                join organisations scope on scope.id = any(string_to_array(o.path::text, '.')::bigint[]) and scope.kind <> 'merchant'
               group by 1, 2) m
        full join income_scope_days s using (scope_id, day)`,
  },
]
