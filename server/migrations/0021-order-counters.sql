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

-- What was really received of an order.
create function order_actual_cents(paid_at timestamptz, fee_cents bigint, refunded_cents bigint) returns bigint immutable language sql as
$$ select case when paid_at is null then 0 else fee_cents - refunded_cents end $$;

-- Counters can't drift: every statement that adds or changes orders appends what it changes. A generator of history
-- says `chairside.bulk_load = on` and rebuilds afterwards.
create function append_order_deltas() returns trigger language plpgsql as $$
begin
  if current_setting('chairside.bulk_load', true) = 'on' then return null; end if;
  if tg_op = 'INSERT' then
    insert into order_counter_deltas (merchant_id, place_id, day, status, pay_channel, orders, fee_cents, actual_cents)
    select merchant_id, place_id, platform_day(order_time), status, coalesce(pay_channel, ''), 1, fee_cents,
           order_actual_cents(paid_at, fee_cents, refunded_cents)
      from new_rows;
  else
    insert into order_counter_deltas (merchant_id, place_id, day, status, pay_channel, orders, fee_cents, actual_cents)
    select merchant_id, place_id, platform_day(order_time), side.status, coalesce(side.pay_channel, ''), side.sign, side.sign * fee_cents,
           side.sign * order_actual_cents(side.paid_at, fee_cents, side.refunded_cents)
      from (select n.merchant_id, n.place_id, n.order_time, n.fee_cents, o.status as old_status, o.pay_channel as old_channel,
                   o.paid_at as old_paid_at, o.refunded_cents as old_refunded, n.status, n.pay_channel, n.paid_at, n.refunded_cents
              from new_rows n join old_rows o on o.order_id = n.order_id
             where (o.status, o.pay_channel, o.paid_at, o.refunded_cents) is distinct from (n.status, n.pay_channel, n.paid_at, n.refunded_cents)) changed,
           lateral (values (-1, old_status, old_channel, old_paid_at, old_refunded), (1, changed.status, changed.pay_channel, changed.paid_at, changed.refunded_cents))
             as side (sign, status, pay_channel, paid_at, refunded_cents);
  end if;
  return null;
end $$;
create trigger orders_inserted after insert on orders referencing new table as new_rows
  for each statement execute function append_order_deltas();
create trigger orders_updated after update on orders referencing old table as old_rows new table as new_rows
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

-- Counts everything anew, for a history that was written past the trigger.
create function rebuild_order_counters() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7205161);
  lock table order_counter_deltas in exclusive mode;
  truncate order_counter_deltas, order_day_counters, order_month_counters;
  insert into order_day_counters (scope_kind, scope_id, day, status, pay_channel, orders, fee_cents, actual_cents)
  with facts as (
    select merchant_id, place_id, (order_time at time zone (select time_zone from platform_settings))::date as day, status,
           coalesce(pay_channel, '') as pay_channel, count(*) as orders, sum(fee_cents) as fee_cents,
           sum(order_actual_cents(paid_at, fee_cents, refunded_cents)) as actual_cents
      from orders group by 1, 2, 3, 4, 5)
  select 'o', scope.id, f.day, f.status, f.pay_channel, sum(f.orders), sum(f.fee_cents), sum(f.actual_cents)
    from facts f join organisations o on o.id = f.merchant_id
    join organisations scope on scope.id = any(string_to_array(o.path::text, '.')::bigint[])
   group by 2, 3, 4, 5
  union all
  select 'p', place_id, day, status, pay_channel, sum(orders), sum(fee_cents), sum(actual_cents)
    from facts where place_id is not null group by 2, 3, 4, 5;
  insert into order_month_counters (scope_kind, scope_id, month, status, pay_channel, orders, fee_cents, actual_cents)
  select scope_kind, scope_id, date_trunc('month', day)::date, status, pay_channel, sum(orders), sum(fee_cents), sum(actual_cents)
    from order_day_counters group by 1, 2, 3, 4, 5;
end $$;
