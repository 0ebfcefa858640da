-- Posts many transfers in a constant number of statements. Accounts are made on demand and locked in the order of
-- their ids; a cause that is booked already is left alone, so a repeat is harmless.
create function post_transfers(postings jsonb, out posted integer, out repeated integer) language plpgsql as $$
declare
  wanted integer := jsonb_array_length(postings);
begin
  insert into ledger_accounts (merchant_id, kind, channel, member_id, may_be_negative)
  select distinct merchant_id, side.kind, side.channel, side.member_id,
         -- A refund may come after takings were withdrawn: the merchant then owes them. A member never owes.
         side.kind not in ('memberCash', 'memberGift')
    from jsonb_to_recordset(postings) as p (merchant_id bigint, from_kind text, from_channel text, from_member bigint,
                                            to_kind text, to_channel text, to_member bigint),
         lateral (values (from_kind, from_channel, from_member), (to_kind, to_channel, to_member)) as side (kind, channel, member_id)
   order by 1, 2, 3, 4
  on conflict (merchant_id, kind, channel, coalesce(member_id, 0)) do nothing;

  perform 1 from ledger_accounts a
   where a.id in (
     select account.id
       from jsonb_to_recordset(postings) as p (merchant_id bigint, from_kind text, from_channel text, from_member bigint,
                                               to_kind text, to_channel text, to_member bigint)
       cross join lateral (values (from_kind, from_channel, from_member), (to_kind, to_channel, to_member)) as side (kind, channel, member_id)
       join ledger_accounts account on account.merchant_id = p.merchant_id and account.kind = side.kind
        and account.channel = side.channel and coalesce(account.member_id, 0) = coalesce(side.member_id, 0))
   order by a.id for update;

  with made as (
    insert into ledger_transfers (cause, cause_time, merchant_id, from_account_id, to_account_id, amount_cents)
    select p.cause, p.cause_time, p.merchant_id, giver.id, taker.id, p.amount_cents
      from jsonb_to_recordset(postings) as p (
             cause text, cause_time timestamptz, merchant_id bigint, amount_cents bigint, from_kind text, from_channel text,
             from_member bigint, to_kind text, to_channel text, to_member bigint, place bigint)
      join ledger_accounts giver on giver.merchant_id = p.merchant_id and giver.kind = p.from_kind
       and giver.channel = p.from_channel and coalesce(giver.member_id, 0) = coalesce(p.from_member, 0)
      join ledger_accounts taker on taker.merchant_id = p.merchant_id and taker.kind = p.to_kind
       and taker.channel = p.to_channel and coalesce(taker.member_id, 0) = coalesce(p.to_member, 0)
     order by p.place
    on conflict (cause, cause_time) do nothing
    returning id, merchant_id, from_account_id, to_account_id, amount_cents, booked_at),
  sides as (
    select id, merchant_id, booked_at, from_account_id as account_id, -amount_cents as amount_cents from made
    union all
    select id, merchant_id, booked_at, to_account_id, amount_cents from made),
  running as (
    select s.*, sum(s.amount_cents) over (partition by s.account_id order by s.id) as moved from sides s),
  entries as (
    insert into ledger_entries (account_id, transfer_id, merchant_id, amount_cents, balance_before_cents, balance_after_cents, booked_at)
    select r.account_id, r.id, r.merchant_id, r.amount_cents, a.balance_cents + r.moved - r.amount_cents, a.balance_cents + r.moved, r.booked_at
      from running r join ledger_accounts a on a.id = r.account_id),
  balances as (
    update ledger_accounts a set balance_cents = a.balance_cents + change.amount_cents
      from (select account_id, sum(amount_cents) as amount_cents from sides group by account_id) change
     where a.id = change.account_id)
  select count(*) from made into posted;
  repeated := wanted - posted;

  -- A repeat says the same again; the same cause with other contents is a fault that would lose money in silence.
  if repeated > 0 and exists (
    select from jsonb_to_recordset(postings) as p (
             cause text, cause_time timestamptz, merchant_id bigint, amount_cents bigint, from_kind text, from_channel text,
             from_member bigint, to_kind text, to_channel text, to_member bigint)
      join ledger_transfers t on t.cause = p.cause and t.cause_time = p.cause_time
      join ledger_accounts giver on giver.id = t.from_account_id
      join ledger_accounts taker on taker.id = t.to_account_id
     where (t.merchant_id, t.amount_cents, giver.kind, giver.channel, giver.member_id, taker.kind, taker.channel, taker.member_id)
           is distinct from (p.merchant_id, p.amount_cents, p.from_kind, p.from_channel, p.from_member, p.to_kind, p.to_channel, p.to_member))
  then
    raise exception 'a cause that is booked was posted again with other contents';
  end if;
end $$;
