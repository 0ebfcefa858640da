import { sql } from '../../kit/database.ts'
import type { Check } from './run-checks.ts'

/** The order that a cause of a transfer names. */
const orderOfCause = sql`substring(t.cause from '[A-Z]{2}[0-9]{15}[0-9A-Z]{4}')`

/**
 * What each order took and gave back, as the ledger has it. Money in comes from outside or from a member's balance;
 * moves of a recharge into that balance are neither.
 */
const moneyOfOrders = sql`
  select ${orderOfCause} as order_id,
         coalesce(sum(t.amount_cents) filter (where t.cause like any(array['payment:%', 'spend:%'])), 0) as taken_cents,
         coalesce(sum(t.amount_cents) filter (where t.cause like 'refund:%'), 0) as returned_cents,
         coalesce(sum(t.amount_cents) filter (where t.cause like 'spend:%:gift'), 0) as gift_taken_cents,
         coalesce(sum(t.amount_cents) filter (where t.cause like 'refund:%:gift'), 0) as gift_returned_cents,
         count(*) filter (where t.cause like 'payment:%') as payments
    from ledger_transfers t where t.cause like any(array['payment:%', 'spend:%', 'refund:%']) group by 1`

/** Claims about the ledger in itself and about what it has to do with orders (design §3). */
export const ledgerChecks: readonly Check[] = [
  {
    claim: 'Each transfer has its two entries, and they sum to zero',
    compared: sql`
      select 'transfer ' || coalesce(t.id, e.transfer_id) as subject, 'two entries of ' || coalesce(max(t.amount_cents)::text, 'no transfer') as expected,
             case when count(*) = 2 and coalesce(sum(e.amount_cents), 0) = 0
                   and count(*) filter (where e.account_id = t.from_account_id and e.amount_cents = -t.amount_cents) = 1
                   and count(*) filter (where e.account_id = t.to_account_id and e.amount_cents = t.amount_cents) = 1
             then 'two entries of ' || max(t.amount_cents)::text
             else count(e.*) || ' entries that sum to ' || coalesce(sum(e.amount_cents), 0) end as found
        from ledger_transfers t full join ledger_entries e on e.transfer_id = t.id
       group by t.id, e.transfer_id`,
  },
  {
    claim: 'Each balance equals its entries',
    compared: sql`
      select 'account ' || a.id as subject, coalesce(e.amount_cents, 0)::text as expected, a.balance_cents::text as found
        from ledger_accounts a
        left join (select account_id, sum(amount_cents) as amount_cents from ledger_entries group by account_id) e on e.account_id = a.id`,
  },
  {
    claim: 'Each entry continues the balance that the one before it left',
    compared: sql`
      select 'account ' || account_id || ', transfer ' || transfer_id as subject,
             coalesce(lag(balance_after_cents) over (partition by account_id order by transfer_id), 0)::text as expected,
             balance_before_cents::text as found
        from ledger_entries`,
  },
  {
    claim: 'Balances of members are owed by their merchants',
    compared: sql`
      select 'merchant ' || merchant_id || ', ' || case when kind in ('memberCash', 'memberCashOwed') then 'cash' else 'gifts' end as subject,
             (-sum(balance_cents) filter (where kind in ('memberCashOwed', 'memberGiftGiven')))::text as expected,
             (sum(balance_cents) filter (where kind in ('memberCash', 'memberGift')))::text as found
        from ledger_accounts where kind in ('memberCash', 'memberCashOwed', 'memberGift', 'memberGiftGiven')
       group by merchant_id, kind in ('memberCash', 'memberCashOwed'), 1`,
  },
  {
    claim: 'Refunds of an order never exceed its payments',
    compared: sql`
      select 'order ' || order_id as subject, 'at most ' || taken_cents || ', gifts ' || gift_taken_cents as expected,
             'at most ' || greatest(taken_cents, returned_cents) || ', gifts ' || greatest(gift_taken_cents, gift_returned_cents) as found
        from (${moneyOfOrders}) m`,
  },
  {
    // More payments than one are of a customer who paid twice; until the second is back it is more than the order holds.
    claim: 'Each order holds what the ledger took and did not give back',
    compared: sql`
      select 'order ' || coalesce(o.order_id, m.order_id) as subject, coalesce(o.actual_cents, 0)::text as expected,
             case when m.payments > 1 and m.taken_cents - m.returned_cents > coalesce(o.actual_cents, 0) then coalesce(o.actual_cents, 0)
                  else coalesce(m.taken_cents - m.returned_cents, 0) end::text as found
        from (select order_id, order_actual_cents(paid_at, fee_cents, refunded_cents) as actual_cents from orders) o
        full join (${moneyOfOrders}) m on m.order_id = o.order_id`,
  },
]
