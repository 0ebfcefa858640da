import type { IncomeLine, IncomePart } from '@chairside/contract'
import { sql, streamRows, type Database } from '../kit/database.ts'
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
/** We have heard of a refund this many days after it was made at the latest; a provider's clock is a little off. */
const longestToHear = 92

/** The order that a cause of a transfer names. */
const orderOfCause = sql`substring(t.cause from '[A-Z]{2}[0-9]{15}[0-9A-Z]{4}')`

/** Which part of the income an order's money is, as it was booked (decisions §6); spent balances are none. */
const partOf = sql`
  case when left(o.order_id, 2) = 'CZ' then 'recharge' when o.pay_channel = 'custAccount' then 'member'
       when o.pay_channel in ('manualStart', 'externalStart') then 'other' else 'qrcodePay' end`

const orderColumns = sql`o.order_id, o.order_time, o.merchant_id, o.device_sid, o.pay_channel, ${partOf} as part`

/**
 * Payments and refunds of a day as they were booked: what orders were paid, on the day they were, and what they gave back,
 * on the day that succeeded. A second payment of an order is no income, nor is its way back.
 */
function linesOf(scope: Scope, { from, before, part }: LineFilter) {
  const mine = withinScope(scope, { merchantId: sql`o.merchant_id`, placeId: sql`o.place_id` })
  const merchant =
    scope.kind === 'merchant' || scope.kind === 'places'
      ? sql`t.merchant_id = ${scope.merchantId}`
      : sql`true`
  return sql`(
    select * from (
      select ${orderColumns}, o.paid_at as at, o.fee_cents as amount, 'payment' as what
        from orders o
       where ${mine} and o.order_time >= ${from}::timestamptz - make_interval(days => ${longestToPay}) and o.order_time < ${before}
         and o.paid_at is not null and o.pay_channel is not null and o.fee_cents > 0
      union all
      select ${orderColumns}, coalesce(given.settled_at, asked.settled_at, t.booked_at), -t.amount_cents, 'refund'
        from ledger_transfers t
        join orders o on o.order_id = ${orderOfCause} and o.order_time = t.cause_time
        left join provider_refunds given on given.out_refund_no = substring(t.cause from 8)
        left join payments paid on paid.out_trade_no = given.out_trade_no
        left join lateral (
          select max(settled_at) as settled_at from refunds r where r.order_id = o.order_id and r.status in (1, 3)) asked on true
       where ${mine} and ${merchant} and t.cause like 'refund:%' and o.pay_channel is not null
         and t.booked_at >= ${from}::timestamptz - interval '1 day'
         and t.booked_at < ${before}::timestamptz + make_interval(days => ${longestToHear})
         and (paid.transaction_id is null or paid.transaction_id = o.transaction_id)) booked
     where at >= ${from} and at < ${before} and ${part === undefined ? sql`part <> 'member'` : sql`part = ${part}`}) l`
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
  const { rows } = await sql<{ total: number } & (LineRecord | { orderId: null })>`
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

export async function sumOfLines(db: Database, scope: Scope, filter: LineFilter): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
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
