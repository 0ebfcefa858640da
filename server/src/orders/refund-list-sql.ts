import { maskedNumber, type RefundRow } from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
import { clockTime, instantsOfDays } from '../kit/calendar.ts'
import { sql, streamRows, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

export interface RefundFilter {
  startDate: string | undefined
  endDate: string | undefined
  statuses: readonly number[] | undefined
  deviceSid: string | undefined
  orderId: string | undefined
}

interface RefundRecord extends Omit<RefundRow, 'createTime' | 'auditResult' | 'auditTime'> {
  createTime: Date
  auditTime: Date | null
}

const columns = sql`
  r.id, r.order_id as "orderId", r.device_sid as "deviceSid", coalesce(m.name, '') as "merchantName",
  coalesce(m.owner_user_name, '') as "merchantUserId", r.price_cents as price,
  o.fee_cents - o.refunded_cents as "refundableCents",
  case when o.pay_channel = 'custAccount'
       then least(o.fee_cents - o.refunded_cents, coalesce((
              select t.amount_cents from ledger_transfers t
               where t.cause = 'spend:' || o.order_id || ':cash' and t.cause_time = o.order_time), 0))
       else o.fee_cents - o.refunded_cents end as "refundableByHandCents",
  coalesce(o.pay_channel, '') as "payChannel", r.phone,
  r.created_at as "createTime", r.status, r.reason, r.content, r.remark, r.audited_at as "auditTime",
  r.audited_by as auditor, r.audit::text as "auditDecision"`

const tables = sql`
  refunds r
  join orders o on o.order_id = r.order_id and o.order_time = r.order_time
  left join organisations m on m.id = r.merchant_id`

/** Whom a list is for. */
interface Reader {
  timeZone: string
  language: Language
}

/** Who decided what and when, in the words of whoever reads it. */
function decisionOf(
  { auditor, auditTime, auditDecision }: RefundRecord,
  { timeZone, language }: Reader,
): string {
  if (!auditTime || !auditDecision) return ''
  const decision = translate(language, `refunds.auditDecision.${auditDecision}`)
  return [auditor, clockTime(auditTime, timeZone), decision].join(' · ')
}

const refundRowFor =
  (reader: Reader) =>
  (record: RefundRecord): RefundRow => ({
    ...record,
    phone: maskedNumber(record.phone),
    createTime: record.createTime.toISOString(),
    auditTime: record.auditTime?.toISOString() ?? null,
    auditResult: decisionOf(record, reader),
  })

function matching(scope: Scope, filter: RefundFilter, timeZone: string) {
  const conditions = [withinScope(scope, { merchantId: sql`r.merchant_id`, placeId: sql`r.place_id` })]
  if (filter.startDate)
    conditions.push(sql`r.created_at >= ${instantsOfDays(filter.startDate, filter.startDate, timeZone).from}`)
  if (filter.endDate)
    conditions.push(sql`r.created_at < ${instantsOfDays(filter.endDate, filter.endDate, timeZone).before}`)
  if (filter.statuses) conditions.push(sql`r.status = any(${[...filter.statuses]}::smallint[])`)
  if (filter.deviceSid !== undefined) conditions.push(sql`r.device_sid = ${filter.deviceSid}`)
  if (filter.orderId !== undefined) conditions.push(sql`r.order_id = ${filter.orderId}`)
  return sql.join(conditions, sql` and `)
}

/** The whole phone number of a refund within a scope, and the order that it is of. */
export async function findRefundPhone(
  db: Database,
  scope: Scope,
  id: number,
): Promise<{ orderId: string; phone: string } | undefined> {
  const { rows } = await sql<{ orderId: string; phone: string }>`
    select r.order_id as "orderId", r.phone from refunds r
     where r.id = ${id} and ${withinScope(scope, { merchantId: sql`r.merchant_id`, placeId: sql`r.place_id` })}`.execute(
    db,
  )
  return rows[0]
}

/** A page of refunds, newest first, and how many match. */
export async function findRefunds(
  db: Database,
  scope: Scope,
  filter: RefundFilter,
  page: Reader & { skip: number; take: number },
): Promise<{ list: RefundRow[]; total: number }> {
  const where = matching(scope, filter, page.timeZone)
  const count = await sql<{ total: number }>`select count(*) as total from refunds r where ${where}`.execute(
    db,
  )
  const { rows } = await sql<RefundRecord>`
    select ${columns} from (select * from refunds r where ${where} order by r.created_at desc, r.id desc offset ${page.skip} limit ${page.take}) r
      join orders o on o.order_id = r.order_id and o.order_time = r.order_time
      left join organisations m on m.id = r.merchant_id
     order by r.created_at desc, r.id desc`.execute(db)
  return { list: rows.map(refundRowFor(page)), total: count.rows[0]?.total ?? 0 }
}

/** Every refund that matches, newest first. */
export async function* streamRefunds(
  db: Database,
  scope: Scope,
  filter: RefundFilter,
  reader: Reader,
): AsyncGenerator<RefundRow[]> {
  const query = sql<RefundRecord>`
    select ${columns} from ${tables} where ${matching(scope, filter, reader.timeZone)} order by r.created_at desc, r.id desc`
  for await (const records of streamRows(db, query)) yield records.map(refundRowFor(reader))
}
