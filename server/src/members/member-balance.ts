import { transfersOfMemberRefund, transfersOfMemberSpend, type OrderMoney } from '../money/order-transfers.ts'
import { BalanceTooLowError, postTransfers } from '../money/post-transfers.ts'
import { sql, type Database } from '../kit/database.ts'

/** What a member holds, or what an order took of it: money paid in, and gifts. */
export interface BalanceParts {
  cashCents: number
  giftCents: number
}

export async function balanceOf(db: Database, merchantId: number, memberId: number): Promise<BalanceParts> {
  const { rows } = await sql<BalanceParts>`
    select coalesce(sum(balance_cents) filter (where kind = 'memberCash'), 0) as "cashCents",
           coalesce(sum(balance_cents) filter (where kind = 'memberGift'), 0) as "giftCents"
      from ledger_accounts
     where merchant_id = ${merchantId} and kind in ('memberCash', 'memberGift') and channel = '' and coalesce(member_id, 0) = ${memberId}`.execute(
    db,
  )
  return rows[0] ?? { cashCents: 0, giftCents: 0 }
}

/**
 * Money paid in is spent first, gifts last (decisions §5).
 * @returns undefined when both together do not suffice
 */
export function splitSpend(balance: BalanceParts, amountCents: number): BalanceParts | undefined {
  const cashCents = Math.min(balance.cashCents, amountCents)
  const giftCents = amountCents - cashCents
  return giftCents > balance.giftCents ? undefined : { cashCents, giftCents }
}

/**
 * What was spent last comes back first: a part that goes back leaves the balance as if the price had been lower.
 * @param returnedCents what of `spent` has gone back before
 */
export function splitReturn(spent: BalanceParts, returnedCents: number, amountCents: number): BalanceParts {
  const giftAfter = Math.min(spent.giftCents, returnedCents + amountCents)
  const giftCents = giftAfter - Math.min(spent.giftCents, returnedCents)
  return { cashCents: amountCents - giftCents, giftCents }
}

/** Spends and returns of one member follow each other, so that they split what is really there. */
async function lockMember(db: Database, merchantId: number, memberId: number): Promise<void> {
  await sql`select 1 from members where id = ${memberId} and merchant_id = ${merchantId} for update`.execute(
    db,
  )
}

/** @throws BalanceTooLowError when cash and gifts together do not suffice */
export async function spendBalance(
  db: Database,
  order: OrderMoney,
  memberId: number,
  amountCents: number,
): Promise<void> {
  await lockMember(db, order.merchantId, memberId)
  const parts = splitSpend(await balanceOf(db, order.merchantId, memberId), amountCents)
  if (!parts) throw new BalanceTooLowError('the balance is too low')
  await postTransfers(db, transfersOfMemberSpend(order, { memberId, ...parts }))
}

/** What an order took of a balance, as the ledger has it. */
export async function spentOn(
  db: Database,
  order: Pick<OrderMoney, 'orderId' | 'orderTime'>,
): Promise<BalanceParts> {
  const [cash, gift] = [`spend:${order.orderId}:cash`, `spend:${order.orderId}:gift`]
  const { rows } = await sql<BalanceParts>`
    select coalesce(sum(amount_cents) filter (where cause = ${cash}), 0) as "cashCents",
           coalesce(sum(amount_cents) filter (where cause = ${gift}), 0) as "giftCents"
      from ledger_transfers where cause_time = ${order.orderTime} and cause in (${cash}, ${gift})`.execute(db)
  return rows[0] ?? { cashCents: 0, giftCents: 0 }
}

/**
 * Gives back to a balance what an order took of it. `reference` makes a repeat harmless.
 * @param returnedCents what of the order has gone back before
 */
export async function returnBalance(
  db: Database,
  order: OrderMoney,
  memberId: number,
  given: { reference: string; amountCents: number; returnedCents: number },
): Promise<void> {
  await lockMember(db, order.merchantId, memberId)
  const parts = splitReturn(await spentOn(db, order), given.returnedCents, given.amountCents)
  await postTransfers(
    db,
    transfersOfMemberRefund(order, `${order.orderId}:${given.reference}`, { memberId, ...parts }),
  )
}
