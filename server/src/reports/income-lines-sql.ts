import type { IncomeLine, IncomePart } from '@chairside/contract'
import { plannedOnce, sql, streamRows, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

export interface LineFilter {
  /** The day: from the first instant, up to but not the second. */
  from: Date
  before: Date
  part: IncomePart | undefined
}

interface LineRecord extends Omit<IncomeLine, 'at' | 'year'> {
  at: Date
  orderTime: Date
}

/** An order is paid this many days after it was placed at the latest; mostly it takes a minute. */
const longestToPay = 31
/** The order that a cause of a transfer names. */
const orderOfCause = sql`substring(t.cause from '[A-Z]{2}[0-9]{15}[0-9A-Z]{4}')`

/** Which part of the income an order's money is, as it was booked (decisions §6); spent balances are none. */
const partOf = sql`
  case when left(o.order_id, 2) = 'CZ' then 'recharge' when o.pay_channel = 'custAccount' then 'member'
       when o.pay_channel in ('manualStart', 'externalStart') then 'other' else 'qrcodePay' end`

const orderColumns = sql`o.order_id, o.order_time, o.merchant_id, o.device_sid, o.pay_channel, ${partOf} as part`

/**
 * Transfers that gave money back on a day. What went through a provider went when that says, which we may have heard days
 * later; anything else when it was decided, in the transaction that booked it or at most a day away from it.
 */
const transfersBack = ({ from, before }: LineFilter) => sql`
  select t.cause, t.cause_time, t.amount_cents, given.settled_at as at, given.out_trade_no
    from provider_refunds given join ledger_transfers t on t.cause = 'refund:' || given.out_refund_no
   where given.settled_at >= ${from} and given.settled_at < ${before}
  union all
  select t.cause, t.cause_time, t.amount_cents, decided.at, given.out_trade_no
    from ledger_transfers t
    left join provider_refunds given on given.out_refund_no = substring(t.cause from 8)
    cross join lateral (
      select coalesce(max(r.settled_at), t.booked_at) as at from refunds r
       where r.order_id = ${orderOfCause} and r.status in (1, 3)) decided
   where t.cause like 'refund:%' and given.settled_at is null and decided.at >= ${from} and decided.at < ${before}
     and t.booked_at >= ${from}::timestamptz - interval '1 day' and t.booked_at < ${before}::timestamptz + interval '1 day'`

/**
 * Payments and refunds of a day as they were booked: what orders were paid, on the day they were, and what they gave back,
 * on the day that succeeded. A second payment of an order is no income, nor is its way back.
 */
function linesOf(scope: Scope, filter: LineFilter) {
  const { from, before, part } = filter
  const mine = withinScope(scope, { merchantId: sql`o.merchant_id`, placeId: sql`o.place_id` })
  return sql`(
    select * from (
      select ${orderColumns}, o.paid_at as at, o.fee_cents as amount, 'payment' as what
        from orders o
       where ${mine} and o.paid_at >= ${from} and o.paid_at < ${before}
         and o.order_time >= ${from}::timestamptz - make_interval(days => ${longestToPay}) and o.order_time < ${before}
         and o.pay_channel is not null and o.fee_cents > 0
      union all
      select ${orderColumns}, t.at, -t.amount_cents, 'refund'
        from (${transfersBack(filter)}) t
        join orders o on o.order_id = ${orderOfCause} and o.order_time = t.cause_time
        left join payments paid on paid.out_trade_no = t.out_trade_no
       where ${mine} and o.pay_channel is not null
         and (paid.transaction_id is null or paid.transaction_id = o.transaction_id)) booked
     where ${part === undefined ? sql`part <> 'member'` : sql`part = ${part}`}) l`
}

const columns = sql`
  l.order_id as "orderId", l.order_time as "orderTime", l.at, l.what, coalesce(m.name, '') as "merchantName", l.device_sid as "deviceSid",
  l.pay_channel as "payChannel", l.amount`
const newestFirst = sql`l.at desc, l.order_id desc, l.what desc`

/** A page of the lines of a day, newest first, and how many there are. */
export async function findLines(
  db: Database,
  scope: Scope,
  filter: LineFilter,
  { skip, take }: { skip: number; take: number },
): Promise<{ list: LineRecord[]; total: number }> {
  // Both from one statement, hence from one moment; a page past the end has its total in a row without an order.
  const { rows } = await sql<{ total: number } & (LineRecord | { orderId: null })>`${plannedOnce}
    with l as materialized (select * from ${linesOf(scope, filter)})
    select (select count(*) from l) as total, page.*
      from (select) one left join (
        select ${columns} from l left join organisations m on m.id = l.merchant_id
         order by ${newestFirst} offset ${skip} limit ${take}) page on true
     order by page.at desc, page."orderId" desc, page.what desc`.execute(db)
  const list = rows.flatMap((row) => {
    const { total: _total, ...line } = row
    return line.orderId === null ? [] : [line]
  })
  return { list, total: rows[0]?.total ?? 0 }
}

/** What the lines come to, in cents: the figure of the report that leads to them. */
export async function sumOfLines(db: Database, scope: Scope, filter: LineFilter): Promise<number> {
  const { rows } = await sql<{ amount: number }>`${plannedOnce}
    select coalesce(sum(l.amount), 0)::bigint as amount from ${linesOf(scope, filter)}`.execute(db)
  return rows[0]?.amount ?? 0
}

/** All lines of a day, newest first. */
export const streamLines = (db: Database, scope: Scope, filter: LineFilter): AsyncGenerator<LineRecord[]> =>
  streamRows(
    db,
    sql<LineRecord>`
      select ${columns} from ${linesOf(scope, filter)} left join organisations m on m.id = l.merchant_id
       order by ${newestFirst}`,
  )
