-- The same page of orders with less work around it. Days that hold a page follow each other, and what a counter says of
-- them is exact, so that the page is one piece of the time they span, with rows to pass over at either end. What is
-- rare (changes that are not folded yet, periods that cut a month, several places) is asked in statements of its own,
-- and rows come as the columns that a list shows.

drop function page_of_orders(text, bigint[], date, date, smallint, text, bigint, bigint);
drop function seek_orders(text, bigint[], date, date, smallint, text, bigint, bigint);

-- Where a page is: the time spanned by the days that hold it, how many rows of these days are newer than the page, in it
-- and older; no time when it is past the end. With it the exact total and sums of all that match.
create function seek_orders(
  wanted_kind text, wanted_scopes bigint[], first_day date, last_day date, wanted_status smallint, wanted_channel text,
  skip_rows bigint, take_rows bigint,
  out total bigint, out fee_cents bigint, out actual_cents bigint,
  out page_from timestamptz, out page_before timestamptz, out newer bigint, out held bigint, out older bigint)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
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
  select s.time_zone, exists (select from order_counter_deltas) into zone, pending from platform_settings s;
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

-- What a list shows of an order.
create view listed_orders as
select order_id, order_time, merchant_id, place_id, device_sid, duration_minutes, fee_cents, refunded_cents, status, pay_channel,
       channel_account, transaction_id, goods_name, address, paid_at, finished_at
  from orders;

-- The rows of a page, newest first, each with the exact total and sums of all that match; one row without an order when
-- the page is past the end. The caller sorts: rows may come from either end.
create function page_of_orders(
  wanted_kind text, wanted_scopes bigint[], first_day date, last_day date, wanted_status smallint, wanted_channel text,
  skip_rows bigint, take_rows bigint)
returns table (
  total bigint, total_fee_cents bigint, total_actual_cents bigint,
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
    total_fee_cents := sought.fee_cents;
    total_actual_cents := sought.actual_cents;
    return next;
    return;
  end if;
  from_newest := sought.newer <= sought.older;
  case
  when wanted_kind = 'merchant' and from_newest then
    return query
    select sought.total, sought.fee_cents, sought.actual_cents, o.* from listed_orders o
     where o.merchant_id = wanted_scopes[1] and o.order_time >= page_from and o.order_time < page_before
       and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
     order by o.order_time desc, o.order_id desc offset sought.newer limit sought.held;
  when wanted_kind = 'merchant' then
    return query
    select sought.total, sought.fee_cents, sought.actual_cents, o.* from listed_orders o
     where o.merchant_id = wanted_scopes[1] and o.order_time >= page_from and o.order_time < page_before
       and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
     order by o.order_time, o.order_id offset sought.older limit sought.held;
  when wanted_kind = 'places' then
    return query
    select sought.total, sought.fee_cents, sought.actual_cents, o.* from listed_orders o
     where o.place_id = any(wanted_scopes) and o.order_time >= page_from and o.order_time < page_before
       and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
     order by o.order_time desc, o.order_id desc offset sought.newer limit sought.held;
  when wanted_kind = 'platform' and wanted_status is null and wanted_channel is null then
    -- Rows before the page are passed over in the index alone, and only those of the page are fetched.
    return query
    select sought.total, sought.fee_cents, sought.actual_cents, row_of.*
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
    select sought.total, sought.fee_cents, sought.actual_cents, o.* from listed_orders o
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
      select sought.total, sought.fee_cents, sought.actual_cents, row_of.*
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
      select sought.total, sought.fee_cents, sought.actual_cents, o.* from listed_orders o
       where o.merchant_id = any(merchants) and o.order_time >= page_from and o.order_time < page_before
         and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
       order by o.order_time desc, o.order_id desc offset sought.newer limit sought.held;
    else
      return query
      select sought.total, sought.fee_cents, sought.actual_cents, o.* from (
        select o.* from listed_orders o
         where o.merchant_id = any(merchants) and o.order_time >= page_from and o.order_time < page_before
           and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
        offset 0) o
       order by o.order_time desc, o.order_id desc offset sought.newer limit sought.held;
    end if;
  end case;
end $$;
