import { sql, type Database } from '../kit/database.ts'
import type { SettledProviderRefund, WaitingProviderRefund } from './payment-outcomes.ts'
import { refundKey } from './payment-services.ts'

export interface ProviderRefund {
  outRefundNo: string
  outTradeNo: string
  orderId: string
  merchantId: number
  channelId: number
  refundId: number | null
  amountCents: number
  /** Of the payment it goes back from. */
  totalCents: number
  state: 'wanted' | 'accepted' | 'succeeded' | 'failed'
  reason: string
  attempts: number
  /** People were told that it failed, though it may have gone. */
  isGivenUp: boolean
}

export async function findProviderRefund(
  db: Database,
  outRefundNo: string,
): Promise<ProviderRefund | undefined> {
  const { rows } = await sql<ProviderRefund>`
    select r.out_refund_no as "outRefundNo", r.out_trade_no as "outTradeNo", r.order_id as "orderId", r.merchant_id as "merchantId",
           p.channel_id as "channelId", r.refund_id as "refundId", r.amount_cents as "amountCents", p.amount_cents as "totalCents",
           r.state, r.reason, r.attempts, r.given_up_at is not null as "isGivenUp"
      from provider_refunds r join payments p on p.out_trade_no = r.out_trade_no where r.out_refund_no = ${outRefundNo}`.execute(
    db,
  )
  return rows[0]
}

/** The paid payments of an order, locked, with what of each has not gone back and is not on its way back. */
export async function lockRefundable(
  db: Database,
  orderId: string,
  outTradeNo: string | null,
): Promise<{ outTradeNo: string; leftCents: number }[]> {
  const locked = await sql<{ outTradeNo: string }>`
    select out_trade_no as "outTradeNo" from payments
     where order_id = ${orderId} and state = 'paid' and out_trade_no = coalesce(${outTradeNo}, out_trade_no)
     order by out_trade_no for update`.execute(db)
  // Read after the lock, so that a refund asked for in the meantime is seen.
  const { rows } = await sql<{ outTradeNo: string; leftCents: number }>`
    select p.out_trade_no as "outTradeNo",
           p.amount_cents - coalesce((select sum(r.amount_cents) from provider_refunds r
                                       where r.out_trade_no = p.out_trade_no and r.state <> 'failed'), 0) as "leftCents"
      from payments p where p.out_trade_no = any(${locked.rows.map((row) => row.outTradeNo)})
     order by p.paid_at, p.out_trade_no`.execute(db)
  return rows
}

export async function insertProviderRefund(
  db: Database,
  refund: Pick<
    ProviderRefund,
    'outRefundNo' | 'outTradeNo' | 'orderId' | 'merchantId' | 'refundId' | 'amountCents' | 'reason'
  >,
): Promise<void> {
  await sql`
    insert into provider_refunds (out_refund_no, out_trade_no, order_id, merchant_id, refund_id, amount_cents, reason)
    values (${refund.outRefundNo}, ${refund.outTradeNo}, ${refund.orderId}, ${refund.merchantId}, ${refund.refundId}, ${refund.amountCents},
            ${refund.reason})`.execute(db)
}

/** Counts a look after a refund; the pauses between looks grow with it. */
export async function countAttempt(db: Database, outRefundNo: string): Promise<void> {
  await sql`
    update provider_refunds set attempts = least(attempts + 1, 1000) where out_refund_no = ${outRefundNo}`.execute(
    db,
  )
}

/** Counts that a refund is sent, before it is: as long as no answer to it is counted, it may have gone. */
export async function countSending(db: Database, outRefundNo: string): Promise<void> {
  await sql`
    update provider_refunds set times_sent = times_sent + 1 where out_refund_no = ${outRefundNo}`.execute(db)
}

/** Counts that the provider's answer to one sending was a definite no. */
export async function countRefusal(db: Database, outRefundNo: string): Promise<void> {
  await sql`
    update provider_refunds set times_refused = times_refused + 1 where out_refund_no = ${outRefundNo}`.execute(
    db,
  )
}

/**
 * Keeps how a refund stands. One that had failed may succeed later, when somebody sends it elsewhere at the provider.
 * @returns the refund when this is news of it; undefined when it was known or is not this refund
 */
export async function storeRefundState(
  db: Database,
  told: {
    outRefundNo: string
    channelId: number
    amountCents: number
    state: 'accepted' | 'succeeded' | 'failed'
    providerRefundId: string
    failure: string
    /** When it succeeded, as the provider tells, perhaps in whole seconds; otherwise it is now. */
    succeededAt: Date | null
  },
): Promise<Pick<
  SettledProviderRefund,
  'orderId' | 'merchantId' | 'refundId' | 'amountCents' | 'settledAt'
> | null> {
  const { rows } = await sql<
    Pick<SettledProviderRefund, 'orderId' | 'merchantId' | 'refundId' | 'amountCents' | 'settledAt'>
  >`
    update provider_refunds r
       set state = ${told.state}, failure = ${told.failure},
           provider_refund_id = coalesce(nullif(${told.providerRefundId}, ''), provider_refund_id),
           settled_at = case when ${told.state} <> 'accepted' then greatest(coalesce(${told.succeededAt}::timestamptz, now()), r.created_at) end
      from payments p
     where p.out_trade_no = r.out_trade_no and r.out_refund_no = ${told.outRefundNo} and r.amount_cents = ${told.amountCents}
       and p.channel_id = ${told.channelId}
       and (r.state = 'wanted' or (r.state = 'accepted' and ${told.state} <> 'accepted')
            or (r.state = 'failed' and ${told.state} = 'succeeded'))
    returning r.order_id as "orderId", r.merchant_id as "merchantId", r.refund_id as "refundId", r.amount_cents as "amountCents",
              r.settled_at as "settledAt"`.execute(db)
  return rows[0] ?? null
}

/** How long a refund that a provider does not take for now is asked for again; a weekend passes in it. */
const longestWaitDays = 3

/** How it stands with a refund that a provider does not take, or tell of, for now. */
export interface RefundWait {
  refund: WaitingProviderRefund
  /** The reason was another one before. */
  isNews: boolean
  isTooLong: boolean
  /** Not every sending was answered with a definite no. */
  mayHaveGone: boolean
  isGivenUp: boolean
}

/**
 * Keeps that a provider does not take a refund for now, or does not tell of it, and since when.
 * @returns null when the refund has an end
 */
export async function storeRefusalForNow(
  db: Database,
  outRefundNo: string,
  reason: string,
): Promise<RefundWait | null> {
  const { rows } = await sql<WaitingProviderRefund & Omit<RefundWait, 'refund'>>`
    with before as (
      select out_refund_no, failure from provider_refunds
       where out_refund_no = ${outRefundNo} and state in ('wanted', 'accepted') for update)
    update provider_refunds r set failure = ${reason}, waits_since = coalesce(r.waits_since, now())
      from before b where b.out_refund_no = r.out_refund_no
    returning r.out_refund_no as "outRefundNo", r.order_id as "orderId", r.refund_id as "refundId", r.amount_cents as "amountCents",
              r.failure as reason, b.failure <> r.failure as "isNews",
              r.waits_since < now() - make_interval(days => ${longestWaitDays}) as "isTooLong",
              r.times_sent > r.times_refused as "mayHaveGone", r.given_up_at is not null as "isGivenUp"`.execute(
    db,
  )
  if (!rows[0]) return null
  const { isNews, isTooLong, mayHaveGone, isGivenUp, ...refund } = rows[0]
  return { refund, isNews, isTooLong, mayHaveGone, isGivenUp }
}

/** Keeps that people were told of a refund in doubt that it failed. */
export async function storeGivenUp(db: Database, outRefundNo: string): Promise<void> {
  await sql`update provider_refunds set given_up_at = now() where out_refund_no = ${outRefundNo}`.execute(db)
}

/**
 * The provider tells that a refund is under way: what kept it from that is over, and the days count anew.
 * @returns the refund when it had waited
 */
export async function endWait(
  db: Database,
  outRefundNo: string,
): Promise<Omit<WaitingProviderRefund, 'reason'> | null> {
  const { rows } = await sql<Omit<WaitingProviderRefund, 'reason'>>`
    update provider_refunds set waits_since = null, failure = ''
     where out_refund_no = ${outRefundNo} and state = 'accepted' and waits_since is not null
    returning out_refund_no as "outRefundNo", order_id as "orderId", refund_id as "refundId", amount_cents as "amountCents"`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Refunds under way that no waiting job will query; one that a process has in its hands, or that failed too often, does not count. */
export async function findForgottenRefunds(db: Database): Promise<string[]> {
  const { rows } = await sql<{ outRefundNo: string }>`
    select out_refund_no as "outRefundNo" from provider_refunds r
     where state in ('wanted', 'accepted') and created_at < now() - interval '30 seconds'
       and not exists (select 1 from graphile_worker.jobs j where j.key = ${refundKey('')} || r.out_refund_no and j.locked_at is null
                          and j.attempts < j.max_attempts)`.execute(db)
  return rows.map(({ outRefundNo }) => outRefundNo)
}
