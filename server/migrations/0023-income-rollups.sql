-- Moves income deltas into the rows that reports read; one at a time, whoever asks. Answers how many it moved.
create function fold_income(most integer default 50000) returns integer language plpgsql as $$
declare
  moved integer;
begin
  if not pg_try_advisory_xact_lock(7205162) then return 0; end if;
  with taken as (
    delete from income_deltas where id in (select id from income_deltas order by id limit most)
    returning merchant_id, place_id, day, kind, amount_cents, count),
  wide as (
    select merchant_id, place_id, day,
           coalesce(sum(amount_cents) filter (where kind = 'wechat'), 0) as wechat, coalesce(sum(amount_cents) filter (where kind = 'alipay'), 0) as alipay,
           coalesce(sum(amount_cents) filter (where kind = 'ccb'), 0) as ccb, coalesce(sum(amount_cents) filter (where kind = 'unionpay'), 0) as unionpay,
           coalesce(sum(count) filter (where kind in ('wechat', 'alipay', 'ccb', 'unionpay')), 0) as qrcode_count,
           coalesce(sum(amount_cents) filter (where kind = 'recharge'), 0) as recharge, coalesce(sum(count) filter (where kind = 'recharge'), 0) as recharge_count,
           coalesce(sum(amount_cents) filter (where kind = 'other'), 0) as other, coalesce(sum(count) filter (where kind = 'other'), 0) as other_count,
           coalesce(sum(amount_cents) filter (where kind = 'member'), 0) as member, coalesce(sum(count) filter (where kind = 'member'), 0) as member_count
      from taken group by merchant_id, place_id, day),
  merchants as (
    insert into income_days as i select merchant_id, day, sum(wechat), sum(alipay), sum(ccb), sum(unionpay), sum(qrcode_count), sum(recharge),
           sum(recharge_count), sum(other), sum(other_count), sum(member), sum(member_count) from wide group by merchant_id, day
    on conflict (merchant_id, day) do update set
      wechat_income_cents = i.wechat_income_cents + excluded.wechat_income_cents, alipay_income_cents = i.alipay_income_cents + excluded.alipay_income_cents,
      ccb_income_cents = i.ccb_income_cents + excluded.ccb_income_cents, unionpay_income_cents = i.unionpay_income_cents + excluded.unionpay_income_cents,
      qrcode_count = i.qrcode_count + excluded.qrcode_count, recharge_income_cents = i.recharge_income_cents + excluded.recharge_income_cents,
      recharge_count = i.recharge_count + excluded.recharge_count, other_income_cents = i.other_income_cents + excluded.other_income_cents,
      other_count = i.other_count + excluded.other_count, member_income_cents = i.member_income_cents + excluded.member_income_cents,
      member_count = i.member_count + excluded.member_count),
  places as (
    insert into income_place_days as i select place_id, merchant_id, day, sum(wechat), sum(alipay), sum(ccb), sum(unionpay), sum(qrcode_count), sum(recharge),
           sum(recharge_count), sum(other), sum(other_count), sum(member), sum(member_count) from wide where place_id is not null group by place_id, merchant_id, day
    on conflict (place_id, day) do update set
      wechat_income_cents = i.wechat_income_cents + excluded.wechat_income_cents, alipay_income_cents = i.alipay_income_cents + excluded.alipay_income_cents,
      ccb_income_cents = i.ccb_income_cents + excluded.ccb_income_cents, unionpay_income_cents = i.unionpay_income_cents + excluded.unionpay_income_cents,
      qrcode_count = i.qrcode_count + excluded.qrcode_count, recharge_income_cents = i.recharge_income_cents + excluded.recharge_income_cents,
      recharge_count = i.recharge_count + excluded.recharge_count, other_income_cents = i.other_income_cents + excluded.other_income_cents,
      other_count = i.other_count + excluded.other_count, member_income_cents = i.member_income_cents + excluded.member_income_cents,
      member_count = i.member_count + excluded.member_count),
  scopes as (
    insert into income_scope_days as i select scope.id, w.day, sum(wechat), sum(alipay), sum(ccb), sum(unionpay), sum(qrcode_count), sum(recharge),
           sum(recharge_count), sum(other), sum(other_count), sum(member), sum(member_count)
      from wide w join organisations o on o.id = w.merchant_id
      join organisations scope on scope.id = any(string_to_array(o.path::text, '.')::bigint[]) and scope.kind <> 'merchant'
     group by scope.id, w.day
    on conflict (scope_id, day) do update set
      wechat_income_cents = i.wechat_income_cents + excluded.wechat_income_cents, alipay_income_cents = i.alipay_income_cents + excluded.alipay_income_cents,
      ccb_income_cents = i.ccb_income_cents + excluded.ccb_income_cents, unionpay_income_cents = i.unionpay_income_cents + excluded.unionpay_income_cents,
      qrcode_count = i.qrcode_count + excluded.qrcode_count, recharge_income_cents = i.recharge_income_cents + excluded.recharge_income_cents,
      recharge_count = i.recharge_count + excluded.recharge_count, other_income_cents = i.other_income_cents + excluded.other_income_cents,
      other_count = i.other_count + excluded.other_count, member_income_cents = i.member_income_cents + excluded.member_income_cents,
      member_count = i.member_count + excluded.member_count)
  select count(*) from taken into moved;
  return moved;
end $$;
