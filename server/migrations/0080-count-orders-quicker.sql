-- Counting all orders anew, quicker: sums of a merchant's places are added up before they are handed to each agent
-- above, and where there are no counters yet, as after a history was made, nothing has to be compared.

create or replace function order_counters_of_facts()
returns table (scope_kind text, scope_id bigint, day date, status smallint, pay_channel text, orders bigint, fee_cents bigint, actual_cents bigint)
stable language sql as $$
  with facts as materialized (
    select o.merchant_id, o.place_id, (o.order_time at time zone s.time_zone)::date as day, o.status, coalesce(o.pay_channel, '') as pay_channel,
           count(*) as orders, sum(o.fee_cents)::bigint as fee_cents,
           sum(order_actual_cents(o.paid_at, o.fee_cents, o.refunded_cents))::bigint as actual_cents
      from orders o cross join platform_settings s group by 1, 2, 3, 4, 5),
  merchants as materialized (
    select f.merchant_id, f.day, f.status, f.pay_channel, sum(f.orders)::bigint as orders, sum(f.fee_cents)::bigint as fee_cents,
           sum(f.actual_cents)::bigint as actual_cents
      from facts f group by 1, 2, 3, 4)
  select 'o', scope.id, f.day, f.status, f.pay_channel, sum(f.orders)::bigint, sum(f.fee_cents)::bigint, sum(f.actual_cents)::bigint
    from merchants f join organisations m on m.id = f.merchant_id
    join organisations scope on scope.id = any(string_to_array(m.path::text, '.')::bigint[])
   group by 2, 3, 4, 5
  union all
  select 'p', f.place_id, f.day, f.status, f.pay_channel, sum(f.orders)::bigint, sum(f.fee_cents)::bigint, sum(f.actual_cents)::bigint
    from facts f where f.place_id is not null group by 2, 3, 4, 5
$$;

create or replace function rebuild_order_counters() returns void language plpgsql as $$
declare
  first_time boolean;
begin
  perform pg_advisory_xact_lock(7205161);
  first_time := not exists (select from order_day_counters) and not exists (select from order_month_counters);
  create temp table counted_orders (like order_day_counters);
  -- One statement, so that the deltas it takes are those of the orders it counts.
  with taken as (delete from order_counter_deltas)
  insert into counted_orders select * from order_counters_of_facts();
  analyze counted_orders;
  if first_time then
    insert into order_day_counters select * from counted_orders order by scope_kind, scope_id, day, status, pay_channel;
    insert into order_month_counters (scope_kind, scope_id, month, status, pay_channel, orders, fee_cents, actual_cents)
    select scope_kind, scope_id, date_trunc('month', day)::date, status, pay_channel, sum(orders), sum(fee_cents), sum(actual_cents)
      from counted_orders group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
    drop table counted_orders;
    return;
  end if;
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
