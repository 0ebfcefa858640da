-- One wide row per merchant and day; a refund is negative income of the day it succeeded (decisions §6).
create table income_days (
  merchant_id            bigint not null,
  day                    date not null,
  wechat_income_cents    bigint not null default 0,
  alipay_income_cents    bigint not null default 0,
  ccb_income_cents       bigint not null default 0,
  unionpay_income_cents  bigint not null default 0,
  qrcode_count           bigint not null default 0,
  recharge_income_cents  bigint not null default 0,
  recharge_count         bigint not null default 0,
  other_income_cents     bigint not null default 0,
  other_count            bigint not null default 0,
  member_income_cents    bigint not null default 0,   -- spent from member balances; in no total
  member_count           bigint not null default 0,
  primary key (merchant_id, day)
) with (fillfactor = 80);
create index income_days_day on income_days (day, merchant_id);

create table income_deltas (
  id           bigint generated always as identity primary key,
  merchant_id  bigint not null,
  place_id     bigint,
  device_id    bigint,
  day          date not null,
  -- which column it belongs to
  kind         text not null check (kind in ('wechat', 'alipay', 'ccb', 'unionpay', 'recharge', 'other', 'member')),
  amount_cents bigint not null,
  count        smallint not null
);
create index income_deltas_merchant on income_deltas (merchant_id);

-- The same for the places a sub-account is bound to.
create table income_place_days (
  place_id               bigint not null,
  merchant_id            bigint not null,
  day                    date not null,
  wechat_income_cents    bigint not null default 0,
  alipay_income_cents    bigint not null default 0,
  ccb_income_cents       bigint not null default 0,
  unionpay_income_cents  bigint not null default 0,
  qrcode_count           bigint not null default 0,
  recharge_income_cents  bigint not null default 0,
  recharge_count         bigint not null default 0,
  other_income_cents     bigint not null default 0,
  other_count            bigint not null default 0,
  member_income_cents    bigint not null default 0,
  member_count           bigint not null default 0,
  primary key (place_id, day)
) with (fillfactor = 80);

-- For agents and the platform: sums of the merchants below, by day.
create table income_scope_days (
  scope_id               bigint not null,              -- an agent's or the platform's organisation id
  day                    date not null,
  wechat_income_cents    bigint not null default 0,
  alipay_income_cents    bigint not null default 0,
  ccb_income_cents       bigint not null default 0,
  unionpay_income_cents  bigint not null default 0,
  qrcode_count           bigint not null default 0,
  recharge_income_cents  bigint not null default 0,
  recharge_count         bigint not null default 0,
  other_income_cents     bigint not null default 0,
  other_count            bigint not null default 0,
  member_income_cents    bigint not null default 0,
  member_count           bigint not null default 0,
  primary key (scope_id, day)
) with (fillfactor = 80);
