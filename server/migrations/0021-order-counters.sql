-- The platform's calendar: counters and reports speak of its days.
create table platform_settings (
  only_row  boolean primary key default true check (only_row),
  time_zone text not null default 'Asia/Shanghai',
  -- Of the key that sealed what is secret here.
  key_fingerprint text
);
insert into platform_settings default values;

create function platform_day(instant timestamptz) returns date stable language sql as
$$ select (instant at time zone time_zone)::date from platform_settings $$;

-- What is counted by day stays counted: in another zone, days would begin elsewhere.
create function keep_time_zone() returns trigger language plpgsql as $$
begin
  if exists (select from orders) then
    raise exception 'the time zone stays %, because orders are counted by its days', old.time_zone;
  end if;
  return new;
end $$;
create trigger platform_settings_time_zone before update of time_zone on platform_settings
  for each row when (old.time_zone <> new.time_zone) execute function keep_time_zone();

-- What was really received of an order.
create function order_actual_cents(paid_at timestamptz, fee_cents bigint, refunded_cents bigint) returns bigint immutable language sql as
$$ select case when paid_at is null then 0 else fee_cents - refunded_cents end $$;

-- Counters can't drift: every statement that adds, changes or removes orders appends what it changes in them, whatever
-- it was. A generator of history says `chairside.bulk_load = on` and rebuilds afterwards.
create function append_order_deltas() returns trigger language plpgsql as $$
begin
  if current_setting('chairside.bulk_load', true) = 'on' then return null; end if;
  if tg_op = 'INSERT' then
    insert into order_counter_deltas (merchant_id, place_id, day, status, pay_channel, orders, fee_cents, actual_cents)
    select o.merchant_id, o.place_id, (o.order_time at time zone s.time_zone)::date, o.status, coalesce(o.pay_channel, ''), count(*),
           sum(o.fee_cents), sum(order_actual_cents(o.paid_at, o.fee_cents, o.refunded_cents))
      from new_rows o cross join platform_settings s group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into order_counter_deltas (merchant_id, place_id, day, status, pay_channel, orders, fee_cents, actual_cents)
    select o.merchant_id, o.place_id, (o.order_time at time zone s.time_zone)::date, o.status, coalesce(o.pay_channel, ''), -count(*),
           -sum(o.fee_cents), -sum(order_actual_cents(o.paid_at, o.fee_cents, o.refunded_cents))
      from old_rows o cross join platform_settings s group by 1, 2, 3, 4, 5;
  else
    -- What was before leaves and what is now comes; what no counter knows cancels out.
    insert into order_counter_deltas (merchant_id, place_id, day, status, pay_channel, orders, fee_cents, actual_cents)
    select o.merchant_id, o.place_id, (o.order_time at time zone s.time_zone)::date, o.status, coalesce(o.pay_channel, ''), sum(o.sign),
           sum(o.sign * o.fee_cents), sum(o.sign * order_actual_cents(o.paid_at, o.fee_cents, o.refunded_cents))
      from (select -1 as sign, merchant_id, place_id, order_time, status, pay_channel, paid_at, fee_cents, refunded_cents from old_rows
            union all
            select 1, merchant_id, place_id, order_time, status, pay_channel, paid_at, fee_cents, refunded_cents from new_rows) o
     cross join platform_settings s
     group by 1, 2, 3, 4, 5
    having sum(o.sign) <> 0 or sum(o.sign * o.fee_cents) <> 0
        or sum(o.sign * order_actual_cents(o.paid_at, o.fee_cents, o.refunded_cents)) <> 0;
  end if;
  return null;
end $$;
create trigger orders_inserted after insert on orders referencing new table as new_rows
  for each statement execute function append_order_deltas();
create trigger orders_updated after update on orders referencing old table as old_rows new table as new_rows
  for each statement execute function append_order_deltas();
create trigger orders_deleted after delete on orders referencing old table as old_rows
  for each statement execute function append_order_deltas();

-- Moves deltas into the counters of every scope; one at a time, whoever asks. Answers how many it moved.
create function fold_order_counters(most integer default 50000) returns integer language plpgsql as $$
declare
  moved integer;
begin
  if not pg_try_advisory_xact_lock(7205161) then return 0; end if;
  with taken as (
    delete from order_counter_deltas where id in (select id from order_counter_deltas order by id limit most)
    returning merchant_id, place_id, day, status, pay_channel, orders, fee_cents, actual_cents),
  summed as (
    select merchant_id, place_id, day, status, pay_channel, sum(orders) as orders, sum(fee_cents) as fee_cents, sum(actual_cents) as actual_cents
      from taken group by 1, 2, 3, 4, 5),
  scoped as (
    select 'o' as scope_kind, scope.id as scope_id, s.day, s.status, s.pay_channel, s.orders, s.fee_cents, s.actual_cents
      from summed s join organisations o on o.id = s.merchant_id
      join organisations scope on scope.id = any(string_to_array(o.path::text, '.')::bigint[])
    union all
    select 'p', place_id, day, status, pay_channel, orders, fee_cents, actual_cents from summed where place_id is not null),
  days as (
    insert into order_day_counters as c (scope_kind, scope_id, day, status, pay_channel, orders, fee_cents, actual_cents)
    select scope_kind, scope_id, day, status, pay_channel, sum(orders), sum(fee_cents), sum(actual_cents) from scoped group by 1, 2, 3, 4, 5
    on conflict (scope_kind, scope_id, day, status, pay_channel) do update set
      orders = c.orders + excluded.orders, fee_cents = c.fee_cents + excluded.fee_cents, actual_cents = c.actual_cents + excluded.actual_cents),
  months as (
    insert into order_month_counters as c (scope_kind, scope_id, month, status, pay_channel, orders, fee_cents, actual_cents)
    select scope_kind, scope_id, date_trunc('month', day)::date, status, pay_channel, sum(orders), sum(fee_cents), sum(actual_cents)
      from scoped group by 1, 2, 3, 4, 5
    on conflict (scope_kind, scope_id, month, status, pay_channel) do update set
      orders = c.orders + excluded.orders, fee_cents = c.fee_cents + excluded.fee_cents, actual_cents = c.actual_cents + excluded.actual_cents)
  select count(*) from taken into moved;
  return moved;
end $$;

-- What the day counters have to be, counted from the orders themselves.
create function order_counters_of_facts()
returns table (scope_kind text, scope_id bigint, day date, status smallint, pay_channel text, orders bigint, fee_cents bigint, actual_cents bigint)
stable language sql as $$
  with facts as (
    select o.merchant_id, o.place_id, (o.order_time at time zone s.time_zone)::date as day, o.status, coalesce(o.pay_channel, '') as pay_channel,
           count(*) as orders, sum(o.fee_cents) as fee_cents, sum(order_actual_cents(o.paid_at, o.fee_cents, o.refunded_cents)) as actual_cents
      from orders o cross join platform_settings s group by 1, 2, 3, 4, 5)
  select 'o', scope.id, f.day, f.status, f.pay_channel, sum(f.orders)::bigint, sum(f.fee_cents)::bigint, sum(f.actual_cents)::bigint
    from facts f join organisations m on m.id = f.merchant_id
    join organisations scope on scope.id = any(string_to_array(m.path::text, '.')::bigint[])
   group by 2, 3, 4, 5
  union all
  select 'p', f.place_id, f.day, f.status, f.pay_channel, sum(f.orders)::bigint, sum(f.fee_cents)::bigint, sum(f.actual_cents)::bigint
    from facts f where f.place_id is not null group by 2, 3, 4, 5
$$;

-- Counts everything anew, for a history that was written past the trigger and after organisations were moved. Nobody
-- waits for it: readers see the counters of before until it commits, and writers go on.
create function rebuild_order_counters() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7205161);
  create temp table counted_orders (like order_day_counters);
  -- One statement, so that the deltas it takes are those of the orders it counts.
  with taken as (delete from order_counter_deltas)
  insert into counted_orders select * from order_counters_of_facts();
  analyze counted_orders;
  delete from order_day_counters c where not exists (
    select from counted_orders n where (n.scope_kind, n.scope_id, n.day, n.status, n.pay_channel) = (c.scope_kind, c.scope_id, c.day, c.status, c.pay_channel));
  insert into order_day_counters as c select * from counted_orders
  on conflict (scope_kind, scope_id, day, status, pay_channel) do update set
    orders = excluded.orders, fee_cents = excluded.fee_cents, actual_cents = excluded.actual_cents
   where (c.orders, c.fee_cents, c.actual_cents) <> (excluded.orders, excluded.fee_cents, excluded.actual_cents);
  delete from order_month_counters c where not exists (
    select from counted_orders n where (n.scope_kind, n.scope_id, n.status, n.pay_channel) = (c.scope_kind, c.scope_id, c.status, c.pay_channel)
       and n.day >= c.month and n.day < c.month + interval '1 month');
  insert into order_month_counters as c (scope_kind, scope_id, month, status, pay_channel, orders, fee_cents, actual_cents)
  select scope_kind, scope_id, date_trunc('month', day)::date, status, pay_channel, sum(orders), sum(fee_cents), sum(actual_cents)
    from counted_orders group by 1, 2, 3, 4, 5
  on conflict (scope_kind, scope_id, month, status, pay_channel) do update set
    orders = excluded.orders, fee_cents = excluded.fee_cents, actual_cents = excluded.actual_cents
   where (c.orders, c.fee_cents, c.actual_cents) <> (excluded.orders, excluded.fee_cents, excluded.actual_cents);
  drop table counted_orders;
end $$;
