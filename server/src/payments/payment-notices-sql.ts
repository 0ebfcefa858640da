import { sql, type Database } from '../kit/database.ts'

/** What is kept of a notice that came; of its body only a digest. */
export interface NoticeRecord {
  channelId: number
  noticeId: string
  kind: string
  outTradeNo: string
  outcome: string
  /** SHA-256, hex. */
  digest: string
  address: string
}

export async function insertNotices(db: Database, notices: readonly NoticeRecord[]): Promise<void> {
  await sql`
    insert into payment_notices (channel_id, notice_id, kind, out_trade_no, outcome, body_digest, address)
    select "channelId", "noticeId", kind, "outTradeNo", outcome, decode(digest, 'hex'), address
      from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb)
        as n ("channelId" bigint, "noticeId" text, kind text, "outTradeNo" text, outcome text, digest text, address text)`.execute(
    db,
  )
}

/** How long it is kept what nobody signed: anybody can send it, hundreds of thousands a day. */
const strangersKeptDays = 30

/** Forgets refused notices that no provider signed. What one signed is kept, whatever became of it. */
export async function deleteOldStrangers(db: Database): Promise<void> {
  await sql`
    delete from payment_notices
     where received_at < now() - make_interval(days => ${strangersKeptDays}) and notice_id = '' and outcome like 'refused: %'`.execute(
    db,
  )
}

/** Amount and channel of payments by their numbers, to tell why a notice settled nothing. */
export async function findAsked(
  db: Database,
  outTradeNos: readonly string[],
): Promise<Map<string, { amountCents: number; channelId: number }>> {
  const { rows } = await sql<{ outTradeNo: string; amountCents: number; channelId: number }>`
    select out_trade_no as "outTradeNo", amount_cents as "amountCents", channel_id as "channelId"
      from payments where out_trade_no = any(${[...outTradeNos]})`.execute(db)
  return new Map(rows.map((row) => [row.outTradeNo, row]))
}
