-- A page of what stands right below an agent: agents first, newest first.
create index organisations_children on organisations (parent_id, kind, id desc);

-- Who was moved where, when and by whom.
create table organisation_moves (
  id              bigint generated always as identity primary key,
  organisation_id bigint not null references organisations (id),
  name            text not null,                   -- as it was called then
  from_parent_id  bigint not null references organisations (id),
  to_parent_id    bigint not null references organisations (id),
  moved_at        timestamptz not null default now(),
  moved_by        text not null,
  mover_organisation_id bigint not null references organisations (id)
);
create index organisation_moves_organisation on organisation_moves (organisation_id, id desc);

-- One changes the tree at a time, and no counters are folded meanwhile: they would be told to the agents of before.
-- Always in this order; folding only ever tries, so nobody waits in a circle. Those who add to the tree share the first.
create function lock_organisation_tree() returns void language plpgsql as $$
begin
  perform set_config('lock_timeout', '60s', true);
  perform pg_advisory_xact_lock(7205163);
  perform pg_advisory_xact_lock(7205161);
  perform pg_advisory_xact_lock(7205162);
end $$;

-- Puts an organisation with all below it under another parent. An agent sees the whole history of those below it today:
-- the history leaves the agents it no longer stands below and comes to those it does now; common ones keep theirs. What
-- is not folded yet follows the tree by itself. The caller holds lock_organisation_tree().
create function move_organisation(root bigint, new_parent bigint) returns void language plpgsql as $$
declare
  old_path ltree := (select path from organisations where id = root);
  parent_path ltree := (select path from organisations where id = new_parent and kind <> 'merchant');
  root_kind text := (select kind from organisations where id = root);
  scopes bigint[];
  signs integer[];
begin
  if old_path is null or parent_path is null or root_kind = 'platform' or parent_path <@ old_path then
    raise exception 'organisation % cannot stand below %', root, new_parent;
  end if;
  select array_agg(id), array_agg(sign) into scopes, signs
    from (select id, sum(sign)::integer as sign
            from (select unnest(string_to_array(subpath(old_path, 0, -1)::text, '.')::bigint[]) as id, -1 as sign
                  union all
                  select unnest(string_to_array(parent_path::text, '.')::bigint[]), 1) changed
           group by id having sum(sign) <> 0) s;

  update organisations
     set path = parent_path || subpath(path, nlevel(old_path) - 1),
         parent_id = case when id = root then new_parent else parent_id end
   where path <@ old_path;

  if scopes is null then return; end if;

  insert into order_day_counters as c (scope_kind, scope_id, day, status, pay_channel, orders, fee_cents, actual_cents)
  select 'o', s.id, m.day, m.status, m.pay_channel, s.sign * m.orders, s.sign * m.fee_cents, s.sign * m.actual_cents
    from order_day_counters m cross join unnest(scopes, signs) as s (id, sign)
   where m.scope_kind = 'o' and m.scope_id = root
  on conflict (scope_kind, scope_id, day, status, pay_channel) do update set
    orders = c.orders + excluded.orders, fee_cents = c.fee_cents + excluded.fee_cents, actual_cents = c.actual_cents + excluded.actual_cents;

  insert into order_month_counters as c (scope_kind, scope_id, month, status, pay_channel, orders, fee_cents, actual_cents)
  select 'o', s.id, m.month, m.status, m.pay_channel, s.sign * m.orders, s.sign * m.fee_cents, s.sign * m.actual_cents
    from order_month_counters m cross join unnest(scopes, signs) as s (id, sign)
   where m.scope_kind = 'o' and m.scope_id = root
  on conflict (scope_kind, scope_id, month, status, pay_channel) do update set
    orders = c.orders + excluded.orders, fee_cents = c.fee_cents + excluded.fee_cents, actual_cents = c.actual_cents + excluded.actual_cents;

  insert into income_scope_days as i
  select s.id, m.day, s.sign * m.wechat_income_cents, s.sign * m.alipay_income_cents, s.sign * m.ccb_income_cents,
         s.sign * m.unionpay_income_cents, s.sign * m.qrcode_count, s.sign * m.recharge_income_cents, s.sign * m.recharge_count,
         s.sign * m.other_income_cents, s.sign * m.other_count, s.sign * m.member_income_cents, s.sign * m.member_count
    from (select scope_id, day, wechat_income_cents, alipay_income_cents, ccb_income_cents, unionpay_income_cents, qrcode_count,
                 recharge_income_cents, recharge_count, other_income_cents, other_count, member_income_cents, member_count
            from income_scope_days where root_kind = 'agent'
          union all
          select merchant_id, day, wechat_income_cents, alipay_income_cents, ccb_income_cents, unionpay_income_cents, qrcode_count,
                 recharge_income_cents, recharge_count, other_income_cents, other_count, member_income_cents, member_count
            from income_days where root_kind = 'merchant') m
   cross join unnest(scopes, signs) as s (id, sign)
   where m.scope_id = root
  on conflict (scope_id, day) do update set
    wechat_income_cents = i.wechat_income_cents + excluded.wechat_income_cents, alipay_income_cents = i.alipay_income_cents + excluded.alipay_income_cents,
    ccb_income_cents = i.ccb_income_cents + excluded.ccb_income_cents, unionpay_income_cents = i.unionpay_income_cents + excluded.unionpay_income_cents,
    qrcode_count = i.qrcode_count + excluded.qrcode_count, recharge_income_cents = i.recharge_income_cents + excluded.recharge_income_cents,
    recharge_count = i.recharge_count + excluded.recharge_count, other_income_cents = i.other_income_cents + excluded.other_income_cents,
    other_count = i.other_count + excluded.other_count, member_income_cents = i.member_income_cents + excluded.member_income_cents,
    member_count = i.member_count + excluded.member_count;
end $$;
