import type { PayChannel } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'

/** An account of a merchant's part of the ledger. `outside` is where money of a channel comes from and goes back to. */
export type LedgerAccountRef =
  | { kind: 'outside'; channel: PayChannel }
  | { kind: 'wechatBalance' | 'alipayBalance' | 'ccbpayBalance' | 'unionpayBalance' | 'merchantBalance' }
  | { kind: 'memberCashOwed' | 'memberGiftGiven' }
  | { kind: 'memberCash' | 'memberGift'; memberId: number }

/** One movement of money, once for its cause however often it is posted. */
export interface Posting {
  merchantId: number
  from: LedgerAccountRef
  to: LedgerAccountRef
  /** More than 0. */
  amountCents: number
  /** Unique name of the fact, such as `payment:KT…01`. */
  cause: string
  /** Time of the thing the fact belongs to (for an order the time in its id): the same at every repeat. */
  causeTime: Date
}

/** An account that must not go below zero would have. */
export class BalanceTooLowError extends Error {
  override name = 'BalanceTooLowError'
}

const sideOf = (side: 'from' | 'to', account: LedgerAccountRef) => ({
  [`${side}_kind`]: account.kind,
  [`${side}_channel`]: account.kind === 'outside' ? account.channel : '',
  [`${side}_member`]: 'memberId' in account ? account.memberId : null,
})

/**
 * Posts transfers inside the transaction of the fact that moves the money.
 * @returns how many were booked now and how many had been booked before
 * @throws BalanceTooLowError
 */
export async function postTransfers(
  db: Database,
  postings: readonly Posting[],
): Promise<{ posted: number; repeated: number }> {
  if (postings.length === 0) return { posted: 0, repeated: 0 }
  const rows = postings.map((posting, place) => ({
    place,
    merchant_id: posting.merchantId,
    amount_cents: posting.amountCents,
    cause: posting.cause,
    cause_time: posting.causeTime.toISOString(),
    ...sideOf('from', posting.from),
    ...sideOf('to', posting.to),
  }))
  try {
    const result = await sql<{ posted: number; repeated: number }>`
      select posted, repeated from post_transfers(${JSON.stringify(rows)}::jsonb)`.execute(db)
    return result.rows[0] ?? { posted: 0, repeated: postings.length }
  } catch (error) {
    const { code, table } = error as { code?: string; table?: string }
    if (code === '23514' && table === 'ledger_accounts')
      throw new BalanceTooLowError('the balance is too low')
    throw error
  }
}
