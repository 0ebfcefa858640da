-- The days of a merchant's year lie all over the table, since each day is written when it comes: 365 rows were 350 pages.
-- What reports say of a day stands in the key's index too, where a year is a few pages.
alter table income_days drop constraint income_days_pkey, add primary key (merchant_id, day) include (
  wechat_income_cents, alipay_income_cents, ccb_income_cents, unionpay_income_cents, qrcode_count, recharge_income_cents,
  recharge_count, other_income_cents, other_count);
alter table income_place_days drop constraint income_place_days_pkey, add primary key (place_id, day) include (
  wechat_income_cents, alipay_income_cents, ccb_income_cents, unionpay_income_cents, qrcode_count, recharge_income_cents,
  recharge_count, other_income_cents, other_count);
alter table income_scope_days drop constraint income_scope_days_pkey, add primary key (scope_id, day) include (
  wechat_income_cents, alipay_income_cents, ccb_income_cents, unionpay_income_cents, qrcode_count, recharge_income_cents,
  recharge_count, other_income_cents, other_count);
