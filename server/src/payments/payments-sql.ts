import { sql, type Database } from '../kit/database.ts'
import type { Prepared } from './adapters/payment-adapter.ts'
import type { PaidPayment } from './payment-outcomes.ts'
import { queryKey } from './payment-services.ts'

export interface PaymentRecord {
  outTradeNo: string
  orderId: string
  merchantId: number
  channelId: number
  amountCents: number
  trade: 'jsapi' | 'native'
  state: 'preparing' | 'prepared' | 'paid' | 'closed' | 'refused'
  answer: Prepared | null
  payerId: string | null
  queries: number
  expiresAt: Date
  /** Whenever the provider was asked to prepare it, the answer was a definite no, as far as is kept: an older program kept answers alone. */
  wasNeverTaken: boolean
}

const columns = sql`
  out_trade_no as "outTradeNo", order_id as "orderId", merchant_id as "merchantId", channel_id as "channelId",
  amount_cents as "amountCents", trade, state, answer, payer_id as "payerId", queries, expires_at as "expiresAt",
  times_asked = times_refused and answer is null as "wasNeverTaken"`

/** Whether it may still be paid. */
export const isOpen = ({ state }: Pick<PaymentRecord, 'state'>) =>
  state === 'preparing' || state === 'prepared'

export async function findPayment(db: Database, outTradeNo: string): Promise<PaymentRecord | undefined> {
  const { rows } =
    await sql<PaymentRecord>`select ${columns} from payments where out_trade_no = ${outTradeNo}`.execute(db)
  return rows[0]
}

/** The attempt that an order waits on, if there is one. */
export async function findOpenPayment(db: Database, orderId: string): Promise<PaymentRecord | undefined> {
  const { rows } = await sql<PaymentRecord>`
    select ${columns} from payments where order_id = ${orderId} and state in ('preparing', 'prepared')
     order by out_trade_no desc limit 1`.execute(db)
  return rows[0]
}

/** Makes the first or next attempt of an order; two digits of the attempt follow the order's id (decisions §4). */
export async function insertPayment(
  db: Database,
  payment: {
    orderId: string
    merchantId: number
    channelId: number
    amountCents: number
    trade: 'jsapi' | 'native'
    payerId: string | null
    expiresAt: Date
  },
): Promise<string> {
  const { rows } = await sql<{ outTradeNo: string }>`
    insert into payments (out_trade_no, order_id, merchant_id, channel_id, amount_cents, trade, payer_id, expires_at)
    select ${payment.orderId}::text || lpad((count(*) + 1)::text, 2, '0'), ${payment.orderId}, ${payment.merchantId}, ${payment.channelId},
           ${payment.amountCents}, ${payment.trade}, ${payment.payerId}, ${payment.expiresAt}
      from payments where order_id = ${payment.orderId}
    returning out_trade_no as "outTradeNo"`.execute(db)
  if (!rows[0]) throw new Error('the payment was not kept')
  return rows[0].outTradeNo
}

/**
 * Counts that a provider is asked to prepare a payment, before it is, and keeps what the payer is to read. A repeat gets the
 * words of the first time: a provider refuses others.
 */
export async function countAsking(db: Database, outTradeNo: string, description: string): Promise<string> {
  const { rows } = await sql<{ description: string }>`
    update payments set times_asked = times_asked + 1, description = case when description = '' then ${description} else description end
     where out_trade_no = ${outTradeNo} returning description`.execute(db)
  return rows[0]?.description ?? description
}

/** Counts that what a provider answered to that was a definite no. */
export async function countNo(db: Database, outTradeNo: string): Promise<void> {
  await sql`update payments set times_refused = times_refused + 1 where out_trade_no = ${outTradeNo}`.execute(
    db,
  )
}

/** Keeps what the provider answered to the preparing; false when the payment has moved on since. */
export async function storeAnswer(db: Database, outTradeNo: string, answer: Prepared): Promise<boolean> {
  const { rows } = await sql`
    update payments set state = 'prepared', answer = ${JSON.stringify(answer)}::jsonb
     where out_trade_no = ${outTradeNo} and state = 'preparing' returning 1`.execute(db)
  return rows.length === 1
}

/** Takes a payment to an end without money; false when it has one already. */
export async function storeEnd(
  db: Database,
  outTradeNo: string,
  state: 'closed' | 'refused',
): Promise<boolean> {
  const { rows } = await sql`
    update payments set state = ${state} where out_trade_no = ${outTradeNo} and state in ('preparing', 'prepared') returning 1`.execute(
    db,
  )
  return rows.length === 1
}

export async function countQuery(db: Database, outTradeNo: string): Promise<void> {
  // A provider that is silent for years must not end the counting with a number too large for its column.
  await sql`update payments set queries = least(queries + 1, 1000) where out_trade_no = ${outTradeNo}`.execute(
    db,
  )
}

export interface LearntPayment {
  outTradeNo: string
  transactionId: string
  amountCents: number
  payerId: string | null
  paidAt: Date
  channelId: number
  learntBy: 'notice' | 'query'
}

/**
 * Marks payments as paid, many in one statement, whatever state they were given up in, and answers those that were
 * not known to be paid before. Amount and channel have to be the payment's own.
 */
export async function storePaid(db: Database, learnt: readonly LearntPayment[]): Promise<PaidPayment[]> {
  const { rows } = await sql<PaidPayment>`
    with told as (
      select * from jsonb_to_recordset(${JSON.stringify(learnt)}::jsonb) as t (
        "outTradeNo" text, "transactionId" text, "amountCents" bigint, "payerId" text, "paidAt" timestamptz, "channelId" bigint, "learntBy" text)),
    locked as (
      select p.out_trade_no from payments p join (select distinct "outTradeNo" from told) t on t."outTradeNo" = p.out_trade_no
       where p.state <> 'paid' order by p.out_trade_no for update of p)
    update payments p set state = 'paid', transaction_id = t."transactionId", payer_id = coalesce(t."payerId", p.payer_id), paid_at = t."paidAt"
      from told t join locked l on l.out_trade_no = t."outTradeNo" join pay_channels c on c.id = t."channelId"
     where p.out_trade_no = t."outTradeNo" and p.state <> 'paid' and p.amount_cents = t."amountCents" and p.channel_id = t."channelId"
    returning p.out_trade_no as "outTradeNo", p.order_id as "orderId", p.merchant_id as "merchantId", p.amount_cents as "amountCents",
              p.transaction_id as "transactionId", p.payer_id as "payerId", p.paid_at as "paidAt", p.expires_at as "expiresAt", p.channel_id as "channelId",
              c.name as "channelName", c.account as "channelAccount", c.organisation_id as "channelOwnerId", t."learntBy"`.execute(
    db,
  )
  return rows
}

/** Open payments that no waiting job will query; one that a process has in its hands, or that failed too often, does not count. */
export async function findForgottenPayments(db: Database): Promise<string[]> {
  const { rows } = await sql<{ outTradeNo: string }>`
    select out_trade_no as "outTradeNo" from payments p
     where state in ('preparing', 'prepared') and created_at < now() - interval '30 seconds'
       and not exists (select 1 from graphile_worker.jobs j where j.key = ${queryKey('')} || p.out_trade_no and j.locked_at is null
                          and j.attempts < j.max_attempts)`.execute(db)
  return rows.map(({ outTradeNo }) => outTradeNo)
}
