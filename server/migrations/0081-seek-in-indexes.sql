-- Pages inside busy days: rows that come before a page are passed over in an index, never read from the table, and only
-- the rows of the page are fetched. What is filtered by status or channel is read as before, since no index knows them.

drop function page_of_orders(text, bigint[], date, date, smallint, text, bigint, bigint);
drop function seek_orders(text, bigint[], date, date, smallint, text, bigint, bigint);

-- Which days a page touches, newest first, with the rows to skip, to take and to leave of each, and the exact
-- total and sums.
create function seek_orders(
  wanted_kind text, wanted_scopes bigint[], first_day date, last_day date, wanted_status smallint, wanted_channel text,
  skip_rows bigint, take_rows bigint,
  out total bigint, out fee_cents bigint, out actual_cents bigint, out days date[], out skips bigint[], out takes bigint[], out leaves bigint[])
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  kind char := case when wanted_kind = 'places' then 'p' else 'o' end;
  pending boolean := exists (select from order_counter_deltas);
  -- Months that lie inside the period as a whole, and the days before and after them.
  first_month date := date_trunc('month', first_day + interval '1 month' - interval '1 day');
  after_months date := greatest(date_trunc('month', last_day + 1)::date, first_month);
  unit record;
  day_row record;
  to_skip bigint := skip_rows;
  to_take bigint := take_rows;
  taken bigint;
begin
  total := 0; fee_cents := 0; actual_cents := 0; days := '{}'; skips := '{}'; takes := '{}'; leaves := '{}';
  for unit in
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
    select c.month, sum(c.orders)::bigint as orders, sum(c.fee_cents)::bigint as fee_cents, sum(c.actual_cents)::bigint as actual_cents
      from counted c group by c.month order by c.month desc
  loop
    total := total + unit.orders;
    fee_cents := fee_cents + unit.fee_cents;
    actual_cents := actual_cents + unit.actual_cents;
    continue when to_take = 0;
    if to_skip >= unit.orders then
      to_skip := to_skip - unit.orders;
      continue;
    end if;
    for day_row in
      select c.day, sum(c.orders)::bigint as orders from (
        select c.day, c.orders from order_day_counters c
         where c.scope_kind = kind and c.scope_id = any(wanted_scopes)
           and c.day between greatest(first_day, unit.month) and least(last_day, (unit.month + interval '1 month')::date - 1)
           and (wanted_status is null or c.status = wanted_status) and (wanted_channel is null or c.pay_channel = wanted_channel)
        union all
        select d.day, d.orders
          from order_deltas_of(wanted_kind, wanted_scopes, greatest(first_day, unit.month),
                               least(last_day, (unit.month + interval '1 month')::date - 1), wanted_status, wanted_channel) d where pending) c
       group by c.day having sum(c.orders) > 0 order by c.day desc
    loop
      exit when to_take = 0;
      if to_skip >= day_row.orders then
        to_skip := to_skip - day_row.orders;
        continue;
      end if;
      taken := least(to_take, day_row.orders - to_skip);
      days := days || day_row.day;
      skips := skips || to_skip;
      takes := takes || taken;
      leaves := leaves || day_row.orders - to_skip - taken;
      to_take := to_take - taken;
      to_skip := 0;
    end loop;
  end loop;
end $$;

-- A page of orders, newest first, each row with the exact total and sums of all that match; one row without an order
-- when the page is past the end.
create function page_of_orders(
  wanted_kind text, wanted_scopes bigint[], first_day date, last_day date, wanted_status smallint, wanted_channel text,
  skip_rows bigint, take_rows bigint)
returns table (total bigint, fee_cents bigint, actual_cents bigint, found orders)
language plpgsql stable rows 10 set plan_cache_mode = force_generic_plan as $$
declare
  sought record;
  zone text := (select time_zone from platform_settings);
  -- Bounds of the whole page, which leave out the partitions it does not touch before anything is read.
  page_from timestamptz;
  page_before timestamptz;
  merchants bigint[];
begin
  select * into sought
    from seek_orders(wanted_kind, wanted_scopes, first_day, last_day, wanted_status, wanted_channel, skip_rows, take_rows);
  if sought.days = '{}' then
    return query select sought.total, sought.fee_cents, sought.actual_cents, null::orders;
    return;
  end if;
  page_from := sought.days[array_upper(sought.days, 1)]::timestamp at time zone zone;
  page_before := (sought.days[1] + 1)::timestamp at time zone zone;
  case wanted_kind
  when 'platform' then
    if wanted_status is null and wanted_channel is null then
      -- The rows before the page are skipped in the index alone, from whichever end of the day is nearer.
      return query
      select sought.total, sought.fee_cents, sought.actual_cents, row_of.found
        from unnest(sought.days, sought.skips, sought.takes, sought.leaves) d (day, skip, take, leave)
       cross join lateral (
         (select k.order_id, k.order_time from orders k
           where k.order_time >= page_from and k.order_time < page_before
             and k.order_time >= d.day::timestamp at time zone zone and k.order_time < (d.day + 1)::timestamp at time zone zone
           order by k.order_time desc, k.order_id desc offset d.skip limit case when d.skip <= d.leave then d.take else 0 end)
         union all
         (select k.order_id, k.order_time from orders k
           where k.order_time >= page_from and k.order_time < page_before
             and k.order_time >= d.day::timestamp at time zone zone and k.order_time < (d.day + 1)::timestamp at time zone zone
           order by k.order_time, k.order_id offset d.leave limit case when d.skip <= d.leave then 0 else d.take end)) key
       cross join lateral (
         select o as found from orders o where o.order_id = key.order_id and o.order_time = key.order_time limit 1) row_of;
      return;
    end if;
    return query
    select sought.total, sought.fee_cents, sought.actual_cents, o
      from unnest(sought.days, sought.skips, sought.takes) d (day, skip, take) cross join lateral (
        select o from orders o
         where o.order_time >= page_from and o.order_time < page_before
           and o.order_time >= d.day::timestamp at time zone zone and o.order_time < (d.day + 1)::timestamp at time zone zone
           and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
         order by o.order_time desc, o.order_id desc offset d.skip limit d.take) day_page;
  when 'agent' then
    merchants := array(
      select below.id from organisations above join organisations below on below.path <@ above.path
       where above.id = wanted_scopes[1] and below.kind = 'merchant');
    if wanted_status is null and wanted_channel is null then
      -- Read merchant by merchant from the index alone and sorted only then; `offset 0` keeps the planner from walking
      -- the whole day.
      return query
      select sought.total, sought.fee_cents, sought.actual_cents, row_of.found
        from unnest(sought.days, sought.skips, sought.takes) d (day, skip, take)
       cross join lateral (
         select k.order_id, k.order_time, k.merchant_id from (
           select k.order_id, k.order_time, k.merchant_id from orders k
            where k.merchant_id = any(merchants) and k.order_time >= page_from and k.order_time < page_before
              and k.order_time >= d.day::timestamp at time zone zone and k.order_time < (d.day + 1)::timestamp at time zone zone
           offset 0) k
          order by k.order_time desc, k.order_id desc offset d.skip limit d.take) key
       cross join lateral (
         select o as found from orders o
          where o.order_id = key.order_id and o.order_time = key.order_time and o.merchant_id = key.merchant_id limit 1) row_of;
    elsif cardinality(merchants) > 200 then
      -- So many are a good part of the day: it is read as it is.
      return query
      select sought.total, sought.fee_cents, sought.actual_cents, o
        from unnest(sought.days, sought.skips, sought.takes) d (day, skip, take) cross join lateral (
          select o from orders o
           where o.merchant_id = any(merchants) and o.order_time >= page_from and o.order_time < page_before
             and o.order_time >= d.day::timestamp at time zone zone and o.order_time < (d.day + 1)::timestamp at time zone zone
             and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
           order by o.order_time desc, o.order_id desc offset d.skip limit d.take) day_page;
    else
      return query
      select sought.total, sought.fee_cents, sought.actual_cents, o
        from unnest(sought.days, sought.skips, sought.takes) d (day, skip, take) cross join lateral (
          select o::orders from (
            -- Read merchant by merchant, and sorted only then: `offset 0` keeps the planner from walking the whole day.
            select o.* from orders o
             where o.merchant_id = any(merchants) and o.order_time >= page_from and o.order_time < page_before
               and o.order_time >= d.day::timestamp at time zone zone and o.order_time < (d.day + 1)::timestamp at time zone zone
               and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
            offset 0) o
           order by o.order_time desc, o.order_id desc offset d.skip limit d.take) day_page (o);
    end if;
  when 'merchant' then
    return query
    select sought.total, sought.fee_cents, sought.actual_cents, o
      from unnest(sought.days, sought.skips, sought.takes) d (day, skip, take) cross join lateral (
        select o from orders o
         where o.merchant_id = wanted_scopes[1] and o.order_time >= page_from and o.order_time < page_before
           and o.order_time >= d.day::timestamp at time zone zone and o.order_time < (d.day + 1)::timestamp at time zone zone
           and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
         order by o.order_time desc, o.order_id desc offset d.skip limit d.take) day_page;
  when 'places' then
    return query
    select sought.total, sought.fee_cents, sought.actual_cents, o
      from unnest(sought.days, sought.skips, sought.takes) d (day, skip, take) cross join lateral (
        select o from orders o
         where o.place_id = any(wanted_scopes) and o.order_time >= page_from and o.order_time < page_before
           and o.order_time >= d.day::timestamp at time zone zone and o.order_time < (d.day + 1)::timestamp at time zone zone
           and (wanted_status is null or o.status = wanted_status) and (wanted_channel is null or o.pay_channel = wanted_channel)
         order by o.order_time desc, o.order_id desc offset d.skip limit d.take) day_page;
  end case;
end $$;
