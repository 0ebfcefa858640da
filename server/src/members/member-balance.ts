import { sql, type Database } from '../kit/database.ts'
import { transfersOfMemberRefund, transfersOfMemberSpend, type OrderMoney } from '../money/order-transfers.ts'
import { BalanceTooLowError, postTransfers } from '../money/post-transfers.ts'

/** What a member holds: money paid in, and gifts, which are spent last and never refunded as cash (decisions §5). */
export async function balanceOf(
  db: Database,
  merchantId: number,
  memberId: number,
): Promise<{ cashCents: number; giftCents: number }> {
  const { rows } = await sql<{ cashCents: number; giftCents: number }>`
    select coalesce(sum(balance_cents) filter (where kind = 'memberCash'), 0) as "cashCents",
           coalesce(sum(balance_cents) filter (where kind = 'memberGift'), 0) as "giftCents"
      from ledger_accounts where merchant_id = ${merchantId} and member_id = ${memberId}`.execute(db)
  return rows[0] ?? { cashCents: 0, giftCents: 0 }
}

/** @throws BalanceTooLowError when cash and gifts together do not suffice */
export async function spendBalance(
  db: Database,
  order: OrderMoney,
  memberId: number,
  amountCents: number,
): Promise<void> {
  // Spends of one member follow each other, so that the split is made of what is really there.
  await sql`select 1 from members where id = ${memberId} and merchant_id = ${order.merchantId} for update`.execute(
    db,
  )
  const balance = await balanceOf(db, order.merchantId, memberId)
  const cashCents = Math.min(balance.cashCents, amountCents)
  const giftCents = amountCents - cashCents
  if (giftCents > balance.giftCents) throw new BalanceTooLowError('the balance is too low')
  await postTransfers(db, transfersOfMemberSpend(order, { memberId, cashCents, giftCents }))
}

/** Gives back what an order took of a balance: what was paid in first. `reference` makes a repeat harmless. */
export async function returnBalance(
  db: Database,
  order: OrderMoney,
  memberId: number,
  reference: string,
  amountCents: number,
): Promise<void> {
  await sql`select 1 from members where id = ${memberId} and merchant_id = ${order.merchantId} for update`.execute(
    db,
  )
  const { rows } = await sql<{ cashCents: number }>`
    select coalesce(sum(case when cause = ${`spend:${order.orderId}:cash`} then amount_cents else -amount_cents end), 0) as "cashCents"
      from ledger_transfers
     where cause_time = ${order.orderTime} and merchant_id = ${order.merchantId}
       and (cause = ${`spend:${order.orderId}:cash`} or (cause like ${`refund:${order.orderId}%:cash`}))`.execute(
    db,
  )
  const cashCents = Math.min(rows[0]?.cashCents ?? 0, amountCents)
  await postTransfers(
    db,
    transfersOfMemberRefund(order, `${order.orderId}:${reference}`, {
      memberId,
      cashCents,
      giftCents: amountCents - cashCents,
    }),
  )
}
