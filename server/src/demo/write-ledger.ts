import type pg from 'pg'

/**
 * Books orders that are there already, set by set: what `postTransfers` would have booked one by one, at the times the
 * money moved. For made-up histories only; it expects an empty ledger.
 */
export async function writeLedger(client: pg.ClientBase): Promise<void> {
  await client.query(`
    create temp table made_transfers on commit drop as
    select 'payment:' || order_id || '01' as cause, order_time as cause_time, merchant_id, paid_at as booked_at, fee_cents as amount_cents,
           'outside' as from_kind, pay_channel as from_channel, null::bigint as from_member,
           case when pay_channel = 'wechatPay' then 'wechatBalance' else 'merchantBalance' end as to_kind, '' as to_channel, null::bigint as to_member
      from orders where paid_at is not null and fee_cents > 0
    union all
    select 'refund:' || o.order_id, o.order_time, o.merchant_id, coalesce(r.settled_at, o.paid_at + interval '96 seconds'), o.refunded_cents,
           case when pay_channel = 'wechatPay' then 'wechatBalance' else 'merchantBalance' end, '', null, 'outside', pay_channel, null
      from orders o left join refunds r on r.order_id = o.order_id and r.status in (1, 3) where o.refunded_cents > 0
    union all
    select 'recharge:' || order_id || ':cash', order_time, merchant_id, paid_at, fee_cents,
           'memberCashOwed', '', null, 'memberCash', '', member_id
      from orders where member_id is not null and paid_at is not null`)
  await client.query(`
    insert into ledger_accounts (merchant_id, kind, channel, member_id, may_be_negative)
    select distinct merchant_id, kind, channel, member_id, kind <> 'memberCash' from (
      select merchant_id, from_kind as kind, from_channel as channel, from_member as member_id from made_transfers
      union select merchant_id, to_kind, to_channel, to_member from made_transfers) sides`)
  await client.query(`
    insert into ledger_transfers (cause, cause_time, merchant_id, from_account_id, to_account_id, amount_cents, booked_at)
    select t.cause, t.cause_time, t.merchant_id, giver.id, taker.id, t.amount_cents, t.booked_at
      from made_transfers t
      join ledger_accounts giver on giver.merchant_id = t.merchant_id and giver.kind = t.from_kind and giver.channel = t.from_channel
       and coalesce(giver.member_id, 0) = coalesce(t.from_member, 0)
      join ledger_accounts taker on taker.merchant_id = t.merchant_id and taker.kind = t.to_kind and taker.channel = t.to_channel
       and coalesce(taker.member_id, 0) = coalesce(t.to_member, 0)
     order by t.booked_at`)
  await client.query(`
    insert into ledger_entries (account_id, transfer_id, merchant_id, amount_cents, balance_before_cents, balance_after_cents, booked_at)
    select account_id, id, merchant_id, amount_cents, after_cents - amount_cents, after_cents, booked_at
      from (select side.account_id, t.id, t.merchant_id, side.amount_cents, t.booked_at,
                   sum(side.amount_cents) over (partition by side.account_id order by t.id) as after_cents
              from ledger_transfers t,
                   lateral (values (t.from_account_id, -t.amount_cents), (t.to_account_id, t.amount_cents)) as side (account_id, amount_cents)) running`)
  await client.query(`
    update ledger_accounts a set balance_cents = s.amount_cents
      from (select account_id, sum(amount_cents) as amount_cents from ledger_entries group by account_id) s where s.account_id = a.id`)
}
