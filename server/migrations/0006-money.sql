-- The ledger: accounts, transfers between two of them, and an entry for each side. Nothing is updated or deleted
-- but the kept balance of an account.
create table ledger_accounts (
  id              bigint generated always as identity primary key,
  merchant_id     bigint not null references organisations (id),
  member_id       bigint,
  -- outside: money that comes from or goes to a provider, a till or a partner; its balance is what the outside gave, negated.
  kind            text not null check (kind in (
                    'outside', 'wechatBalance', 'alipayBalance', 'ccbpayBalance', 'unionpayBalance', 'merchantBalance',
                    'memberCash', 'memberGift', 'memberCashOwed', 'memberGiftGiven')),
  -- For outside: the pay channel's name. Otherwise empty.
  channel         text not null default '',
  may_be_negative boolean not null,
  balance_cents   bigint not null default 0,
  created_at      timestamptz not null default now(),
  check (may_be_negative or balance_cents >= 0)
) with (fillfactor = 70);
create unique index ledger_accounts_identity on ledger_accounts (merchant_id, kind, channel, coalesce(member_id, 0));

-- `cause_time` is the time of the thing that moved the money (for an order the time in its id): a repeat of a cause
-- always carries the same, so the unique key holds across partitions.
create table ledger_transfers (
  id              bigint generated always as identity,
  cause           text not null,
  cause_time      timestamptz not null,
  merchant_id     bigint not null,
  from_account_id bigint not null,
  to_account_id   bigint not null,
  amount_cents    bigint not null check (amount_cents > 0),
  booked_at       timestamptz not null default now(),
  check (from_account_id <> to_account_id),
  primary key (cause, cause_time)
) partition by range (cause_time);
create index ledger_transfers_id on ledger_transfers (id);

create table ledger_entries (
  account_id           bigint not null,
  transfer_id          bigint not null,
  merchant_id          bigint not null,
  amount_cents         bigint not null check (amount_cents <> 0),
  balance_before_cents bigint not null,
  balance_after_cents  bigint not null,
  booked_at            timestamptz not null default now(),
  check (balance_after_cents = balance_before_cents + amount_cents),
  primary key (account_id, transfer_id, booked_at)
) partition by range (booked_at);

-- What is booked stays: holds for every role, the owner's too.
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % of % refused', tg_op, tg_table_name;
end $$;
create trigger ledger_transfers_append_only before update or delete on ledger_transfers
  for each row execute function refuse_ledger_change();
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_ledger_change();
