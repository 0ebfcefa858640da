-- What stands below each agent and the platform is kept with it, so that lists and totals need not count thousands.
-- Organisations are never deleted; nothing but move_organisation() changes a path.

alter table organisations add column agents_below integer not null default 0;
alter table organisations add column merchants_below integer not null default 0;
update organisations o set agents_below = b.agents, merchants_below = b.merchants
  from (select above.id, count(*) filter (where below.kind = 'agent') as agents, count(*) filter (where below.kind = 'merchant') as merchants
          from organisations above join organisations below on below.path <@ above.path and below.id <> above.id group by 1) b
 where b.id = o.id;

-- Whoever adds to the tree holds it; those above are locked in the order of their ids, so that nobody waits in a circle.
create function count_new_organisations() returns trigger language plpgsql as $$
begin
  perform 1 from organisations
   where id in (select unnest(string_to_array(subpath(path, 0, -1)::text, '.')::bigint[]) from new_rows where nlevel(path) > 1)
   order by id for no key update;
  update organisations o set agents_below = o.agents_below + n.agents, merchants_below = o.merchants_below + n.merchants
    from (select above.id, count(*) filter (where kind = 'agent') as agents, count(*) filter (where kind = 'merchant') as merchants
            from new_rows cross join lateral unnest(string_to_array(subpath(path, 0, -1)::text, '.')::bigint[]) as above (id)
           where nlevel(path) > 1 group by 1) n
   where n.id = o.id;
  return null;
end $$;
create trigger organisations_counted_in after insert on organisations referencing new table as new_rows
  for each statement execute function count_new_organisations();

-- As before, with what is kept of those that lose and win what is moved.
create or replace function move_organisation(root bigint, new_parent bigint) returns void language plpgsql as $$
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

  update organisations o
     set agents_below = o.agents_below + s.sign * (moved.agents_below + (root_kind = 'agent')::integer),
         merchants_below = o.merchants_below + s.sign * (moved.merchants_below + (root_kind = 'merchant')::integer)
    from unnest(scopes, signs) as s (id, sign), organisations moved
   where o.id = s.id and moved.id = root;

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
