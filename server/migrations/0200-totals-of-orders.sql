-- Orders of a scope counted whole, whatever their status and channel: a list that asks for neither reads one row for each
-- month and day, not one for each status and channel met in it.
create table order_month_totals (
  scope_kind     char(1) not null check (scope_kind in ('o', 'p')),
  scope_id       bigint not null,
  month          date not null,                    -- its first day
  orders         bigint not null,
  fee_cents      bigint not null,
  actual_cents   bigint not null,
  primary key (scope_kind, scope_id, month)
) with (fillfactor = 80);

create table order_day_totals (
  scope_kind     char(1) not null check (scope_kind in ('o', 'p')),
  scope_id       bigint not null,
  day            date not null,
  orders         bigint not null,
  primary key (scope_kind, scope_id, day)
) with (fillfactor = 80);

insert into order_month_totals
select scope_kind, scope_id, month, sum(orders), sum(fee_cents), sum(actual_cents) from order_month_counters group by 1, 2, 3 order by 1, 2, 3;
insert into order_day_totals
select scope_kind, scope_id, day, sum(orders) from order_day_counters group by 1, 2, 3 order by 1, 2, 3;

-- Totals can't drift from the counters: whoever changes these, by folding, counting anew or moving an organisation,
-- changes the totals with them.
create function total_order_months() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into order_month_totals as t (scope_kind, scope_id, month, orders, fee_cents, actual_cents)
    select scope_kind, scope_id, month, sum(orders), sum(fee_cents), sum(actual_cents) from new_rows group by 1, 2, 3
    on conflict (scope_kind, scope_id, month) do update set
      orders = t.orders + excluded.orders, fee_cents = t.fee_cents + excluded.fee_cents, actual_cents = t.actual_cents + excluded.actual_cents;
  elsif tg_op = 'DELETE' then
    update order_month_totals t set
      orders = t.orders - gone.orders, fee_cents = t.fee_cents - gone.fee_cents, actual_cents = t.actual_cents - gone.actual_cents
      from (select scope_kind, scope_id, month, sum(orders) as orders, sum(fee_cents) as fee_cents, sum(actual_cents) as actual_cents
              from old_rows group by 1, 2, 3) gone
     where t.scope_kind = gone.scope_kind and t.scope_id = gone.scope_id and t.month = gone.month;
  else
    update order_month_totals t set
      orders = t.orders + changed.orders, fee_cents = t.fee_cents + changed.fee_cents, actual_cents = t.actual_cents + changed.actual_cents
      from (select scope_kind, scope_id, month, sum(sign * orders) as orders, sum(sign * fee_cents) as fee_cents,
                   sum(sign * actual_cents) as actual_cents
              from (select *, -1 as sign from old_rows union all select *, 1 from new_rows) c group by 1, 2, 3) changed
     where t.scope_kind = changed.scope_kind and t.scope_id = changed.scope_id and t.month = changed.month
       and (changed.orders <> 0 or changed.fee_cents <> 0 or changed.actual_cents <> 0);
  end if;
  return null;
end $$;

create function total_order_days() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into order_day_totals as t (scope_kind, scope_id, day, orders)
    select scope_kind, scope_id, day, sum(orders) from new_rows group by 1, 2, 3
    on conflict (scope_kind, scope_id, day) do update set orders = t.orders + excluded.orders;
  elsif tg_op = 'DELETE' then
    update order_day_totals t set orders = t.orders - gone.orders
      from (select scope_kind, scope_id, day, sum(orders) as orders from old_rows group by 1, 2, 3) gone
     where t.scope_kind = gone.scope_kind and t.scope_id = gone.scope_id and t.day = gone.day;
  else
    update order_day_totals t set orders = t.orders + changed.orders
      from (select scope_kind, scope_id, day, sum(sign * orders) as orders
              from (select *, -1 as sign from old_rows union all select *, 1 from new_rows) c group by 1, 2, 3) changed
     where t.scope_kind = changed.scope_kind and t.scope_id = changed.scope_id and t.day = changed.day and changed.orders <> 0;
  end if;
  return null;
end $$;

create trigger order_month_counters_inserted after insert on order_month_counters referencing new table as new_rows
  for each statement execute function total_order_months();
create trigger order_month_counters_updated after update on order_month_counters referencing old table as old_rows new table as new_rows
  for each statement execute function total_order_months();
create trigger order_month_counters_deleted after delete on order_month_counters referencing old table as old_rows
  for each statement execute function total_order_months();
create trigger order_day_counters_inserted after insert on order_day_counters referencing new table as new_rows
  for each statement execute function total_order_days();
create trigger order_day_counters_updated after update on order_day_counters referencing old table as old_rows new table as new_rows
  for each statement execute function total_order_days();
create trigger order_day_counters_deleted after delete on order_day_counters referencing old table as old_rows
  for each statement execute function total_order_days();

-- Where a page is: the time spanned by the days that hold it, how many rows of these days are newer than the page, in it
-- and older; no time when it is past the end. With it the exact total and sums of all that match.
create or replace function seek_orders(
  wanted_kind text, wanted_scopes bigint[], first_day date, last_day date, wanted_status smallint, wanted_channel text,
  skip_rows bigint, take_rows bigint,
  out total bigint, out fee_cents bigint, out actual_cents bigint,
  out page_from timestamptz, out page_before timestamptz, out newer bigint, out held bigint, out older bigint)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  -- Every status and channel: totals are kept of these.
  is_whole boolean := wanted_status is null and wanted_channel is null;
  kind char := case when wanted_kind = 'places' then 'p' else 'o' end;
  -- Months that lie inside the period as a whole, and the days before and after them.
  first_month date := date_trunc('month', first_day + interval '1 month' - interval '1 day');
  after_months date := greatest(date_trunc('month', last_day + 1)::date, first_month);
  zone text;
  pending boolean;
  months date[];
  orders_of_months bigint[];
  month_from date;
  month_to date;
  days date[];
  orders_of_days bigint[];
  to_skip bigint := skip_rows;
  to_take bigint := take_rows;
begin
  -- Somewhere an order changes all the time; of one merchant's it is seldom one.
  select s.time_zone, case when wanted_kind = 'merchant' then exists (select from order_counter_deltas d where d.merchant_id = wanted_scopes[1])
                           else exists (select from order_counter_deltas) end
    into zone, pending from platform_settings s;
  if pending or cardinality(wanted_scopes) <> 1 or first_month <> first_day or after_months <= last_day then
    with counted as (
      select c.month, c.orders, c.fee_cents, c.actual_cents from order_month_counters c
       where c.scope_kind = kind and c.scope_id = any(wanted_scopes) and c.month >= first_month and c.month < after_months
         and (wanted_status is null or c.status = wanted_status) and (wanted_channel is null or c.pay_channel = wanted_channel)
      union all
      select date_trunc('month', c.day)::date, c.orders, c.fee_cents, c.actual_cents
        from (values (first_day, least(first_month - 1, last_day)), (after_months, last_day)) cut (first, last)
        join order_day_counters c on c.scope_kind = kind and c.scope_id = any(wanted_scopes) and c.day between cut.first and cut.last
         and (wanted_status is null or c.status = wanted_status) and (wanted_channel is null or c.pay_channel = wanted_channel)
      union all
      select date_trunc('month', d.day)::date, d.orders, d.fee_cents, d.actual_cents
        from order_deltas_of(wanted_kind, wanted_scopes, first_day, last_day, wanted_status, wanted_channel) d where pending)
    select array_agg(m.month order by m.month desc), array_agg(m.orders order by m.month desc),
           coalesce(sum(m.orders), 0), coalesce(sum(m.fee_cents), 0), coalesce(sum(m.actual_cents), 0)
      into months, orders_of_months, total, fee_cents, actual_cents
      from (select c.month, sum(c.orders)::bigint as orders, sum(c.fee_cents) as fee_cents, sum(c.actual_cents) as actual_cents
              from counted c group by c.month) m;
  elsif is_whole then
    select array_agg(m.month), array_agg(m.orders),
           coalesce(sum(m.orders), 0), coalesce(sum(m.fee_cents), 0), coalesce(sum(m.actual_cents), 0)
      into months, orders_of_months, total, fee_cents, actual_cents
      from (select t.month, t.orders, t.fee_cents, t.actual_cents from order_month_totals t
             where t.scope_kind = kind and t.scope_id = wanted_scopes[1] and t.month >= first_month and t.month < after_months
             order by t.month desc) m;
  else
    select array_agg(m.month), array_agg(m.orders),
           coalesce(sum(m.orders), 0), coalesce(sum(m.fee_cents), 0), coalesce(sum(m.actual_cents), 0)
      into months, orders_of_months, total, fee_cents, actual_cents
      from (select c.month, sum(c.orders)::bigint as orders, sum(c.fee_cents) as fee_cents, sum(c.actual_cents) as actual_cents
              from order_month_counters c
             where c.scope_kind = kind and c.scope_id = wanted_scopes[1] and c.month >= first_month and c.month < after_months
               and (wanted_status is null or c.status = wanted_status) and (wanted_channel is null or c.pay_channel = wanted_channel)
             group by c.month order by c.month desc) m;
  end if;
  for m in 1 .. coalesce(cardinality(months), 0) loop
    exit when to_take = 0;
    if to_skip >= orders_of_months[m] then
      to_skip := to_skip - orders_of_months[m];
      continue;
    end if;
    month_from := greatest(first_day, months[m]);
    month_to := least(last_day, (months[m] + interval '1 month')::date - 1);
    if pending or cardinality(wanted_scopes) <> 1 then
      select array_agg(d.day order by d.day desc), array_agg(d.orders order by d.day desc) into days, orders_of_days
        from (select c.day, sum(c.orders)::bigint as orders from (
                select c.day, c.orders from order_day_counters c
                 where c.scope_kind = kind and c.scope_id = any(wanted_scopes) and c.day between month_from and month_to
                   and (wanted_status is null or c.status = wanted_status) and (wanted_channel is null or c.pay_channel = wanted_channel)
                union all
                select d.day, d.orders
                  from order_deltas_of(wanted_kind, wanted_scopes, month_from, month_to, wanted_status, wanted_channel) d where pending) c
               group by c.day) d
       where d.orders > 0;
    elsif is_whole then
      select array_agg(d.day), array_agg(d.orders) into days, orders_of_days
        from (select t.day, t.orders from order_day_totals t
               where t.scope_kind = kind and t.scope_id = wanted_scopes[1] and t.day between month_from and month_to and t.orders > 0
               order by t.day desc) d;
    else
      select array_agg(d.day), array_agg(d.orders) into days, orders_of_days
        from (select c.day, sum(c.orders)::bigint as orders from order_day_counters c
               where c.scope_kind = kind and c.scope_id = wanted_scopes[1] and c.day between month_from and month_to
                 and (wanted_status is null or c.status = wanted_status) and (wanted_channel is null or c.pay_channel = wanted_channel)
               group by c.day order by c.day desc) d
       where d.orders > 0;
    end if;
    for d in 1 .. coalesce(cardinality(days), 0) loop
      exit when to_take = 0;
      if to_skip >= orders_of_days[d] then
        to_skip := to_skip - orders_of_days[d];
        continue;
      end if;
      if page_before is null then
        page_before := (days[d] + 1)::timestamp at time zone zone;
        newer := to_skip;
      end if;
      page_from := days[d]::timestamp at time zone zone;
      older := greatest(orders_of_days[d] - to_skip - to_take, 0);
      to_take := greatest(to_take - (orders_of_days[d] - to_skip), 0);
      to_skip := 0;
    end loop;
  end loop;
  held := take_rows - to_take;
end $$;

-- A page says how many match; what they cost is a question of its own.
drop function page_of_orders(text, bigint[], date, date, smallint, text, bigint, bigint);

-- The rows of a page, newest first, each with the exact total of all that match; one row without an order when
-- the page is past the end. The caller sorts: rows may come from either end.
create function page_of_orders(
  wanted_kind text, wanted_scopes bigint[], first_day date, last_day date, wanted_status smallint, wanted_channel text,
  skip_rows bigint, take_rows bigint)
returns table (
  total bigint,
  order_id text, order_time timestamptz, merchant_id bigint, place_id bigint, device_sid text, duration_minutes integer,
  fee_cents bigint, refunded_cents bigint, status smallint, pay_channel text, channel_account text, transaction_id text,
  goods_name text, address text, paid_at timestamptz, finished_at timestamptz)
language plpgsql stable rows 10 set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  sought record;
  -- Outside of the record they are known when a statement begins, and leave out the partitions that the page does not
  -- touch before anything is read.
  page_from timestamptz;
  page_before timestamptz;
  -- Rows before the page are passed over from the nearer end.
  from_newest boolean;
  merchants bigint[];
begin
  sought := seek_orders(wanted_kind, wanted_scopes, first_day, last_day, wanted_status, wanted_channel, skip_rows, take_rows);
  page_from := sought.page_from;
  page_before := sought.page_before;
  if page_from is null then
    total := sought.total;
    return next;
    return;
  end if;
  from_newest := sought.newer <= sought.older;
  case
  when wanted_kind = 'merchant' and from_newest then
    return query
    select sought.total, o.* from listed_orders o
     where o.merchant_id = wanted_scopes[1] and o.order_time >= page_from and o.order_time < page_before
       and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
     order by o.order_time desc, o.order_id desc offset sought.newer limit sought.held;
  when wanted_kind = 'merchant' then
    return query
    select sought.total, o.* from listed_orders o
     where o.merchant_id = wanted_scopes[1] and o.order_time >= page_from and o.order_time < page_before
       and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
     order by o.order_time, o.order_id offset sought.older limit sought.held;
  when wanted_kind = 'places' then
    return query
    select sought.total, o.* from listed_orders o
     where o.place_id = any(wanted_scopes) and o.order_time >= page_from and o.order_time < page_before
       and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
     order by o.order_time desc, o.order_id desc offset sought.newer limit sought.held;
  when wanted_kind = 'platform' and wanted_status is null and wanted_channel is null then
    -- Rows before the page are passed over in the index alone, and only those of the page are fetched.
    return query
    select sought.total, row_of.*
      from ((select k.order_id, k.order_time from orders k where k.order_time >= page_from and k.order_time < page_before
              order by k.order_time desc, k.order_id desc offset sought.newer limit case when from_newest then sought.held else 0 end)
            union all
            (select k.order_id, k.order_time from orders k where k.order_time >= page_from and k.order_time < page_before
              order by k.order_time, k.order_id offset sought.older limit case when from_newest then 0 else sought.held end)) key
     cross join lateral (
       select o.* from listed_orders o
        where o.order_id = key.order_id and o.order_time = key.order_time and o.order_time >= page_from and o.order_time < page_before
        limit 1) row_of;
  when wanted_kind = 'platform' then
    return query
    select sought.total, o.* from listed_orders o
     where o.order_time >= page_from and o.order_time < page_before
       and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
     order by o.order_time desc, o.order_id desc offset sought.newer limit sought.held;
  when wanted_kind = 'agent' then
    merchants := array(
      select below.id from organisations above join organisations below on below.path <@ above.path
       where above.id = wanted_scopes[1] and below.kind = 'merchant');
    if wanted_status is null and wanted_channel is null then
      -- Read merchant by merchant from the index alone and sorted only then; `offset 0` keeps the planner from walking
      -- the whole day.
      return query
      select sought.total, row_of.*
        from (select k.order_id, k.order_time, k.merchant_id from (
                select k.order_id, k.order_time, k.merchant_id from orders k
                 where k.merchant_id = any(merchants) and k.order_time >= page_from and k.order_time < page_before
                offset 0) k
               order by k.order_time desc, k.order_id desc offset sought.newer limit sought.held) key
       cross join lateral (
         select o.* from listed_orders o
          where o.order_id = key.order_id and o.order_time = key.order_time and o.merchant_id = key.merchant_id
            and o.order_time >= page_from and o.order_time < page_before
          limit 1) row_of;
    elsif cardinality(merchants) > 200 then
      -- So many are a good part of the day: it is read as it is.
      return query
      select sought.total, o.* from listed_orders o
       where o.merchant_id = any(merchants) and o.order_time >= page_from and o.order_time < page_before
         and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
       order by o.order_time desc, o.order_id desc offset sought.newer limit sought.held;
    else
      return query
      select sought.total, o.* from (
        select o.* from listed_orders o
         where o.merchant_id = any(merchants) and o.order_time >= page_from and o.order_time < page_before
           and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
        offset 0) o
       order by o.order_time desc, o.order_id desc offset sought.newer limit sought.held;
    end if;
  end case;
end $$;
