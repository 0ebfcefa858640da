import type { PayChannel } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'

/** Which column of the reports money belongs to (decisions §6). */
export type IncomeKind = 'wechat' | 'alipay' | 'ccb' | 'unionpay' | 'recharge' | 'other' | 'member'

const kindOfChannel: Record<PayChannel, IncomeKind> = {
  wechatPay: 'wechat',
  wechatServerPay: 'wechat',
  aliPay: 'alipay',
  ccbPay: 'ccb',
  unionPay: 'unionpay',
  custAccount: 'member',
  manualStart: 'other',
  externalStart: 'other',
}

/** The kind of income of an order; recharges count as such whatever they were paid by. */
export const incomeKindOf = (orderId: string, channel: PayChannel): IncomeKind =>
  orderId.startsWith('CZ') ? 'recharge' : kindOfChannel[channel]

export interface IncomeChange {
  merchantId: number
  placeId: number | null
  deviceId: number | null
  kind: IncomeKind
  /** The instant whose calendar day it is booked on. */
  at: Date
  /** Negative for a refund. */
  amountCents: number
  /** 1 for an order, 0 for a refund: the order has happened all the same. */
  count: 0 | 1
}

/** Books income in the transaction of the fact; reports add what is not folded yet, so they are exact at once. */
export async function recordIncome(db: Database, changes: readonly IncomeChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into income_deltas (merchant_id, place_id, device_id, day, kind, amount_cents, count)
    select "merchantId", "placeId", "deviceId", platform_day(at), kind, "amountCents", count
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as c ("merchantId" bigint, "placeId" bigint, "deviceId" bigint, at timestamptz, kind text, "amountCents" bigint, count smallint)`.execute(
    db,
  )
}
