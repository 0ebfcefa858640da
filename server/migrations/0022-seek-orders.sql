-- Rollup-seek: where a page of a list begins, from counters alone. Whole months first, newest first, then the days of
-- the month that holds the page; changes that are not folded yet are added, so the answer is exact at every instant.
--
-- Answers one row for each day the page touches (day, rows to skip, rows to take), each with the exact total and sums;
-- one row without a day when the page is past the end.
create function seek_orders(
  wanted_kind char, wanted_scopes bigint[], first_day date, last_day date, wanted_status smallint, wanted_channel text,
  skip_rows bigint, take_rows bigint)
returns table (total bigint, fee_cents bigint, actual_cents bigint, day date, skip bigint, take bigint)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  pending boolean;
  unit record;
  day_row record;
  to_skip bigint := skip_rows;
  to_take bigint := take_rows;
  found boolean := false;
  days date[] := '{}';
  skips bigint[] := '{}';
  takes bigint[] := '{}';
begin
  total := 0; fee_cents := 0; actual_cents := 0;
  select exists (select 1 from order_counter_deltas) into pending;
  for unit in
    with counted as (
      -- Months that lie inside the period as a whole.
      select c.month, c.orders, c.fee_cents, c.actual_cents from order_month_counters c
       where c.scope_kind = wanted_kind and c.scope_id = any(wanted_scopes) and c.month >= first_day
         and (c.month + interval '1 month')::date - 1 <= last_day
         and (wanted_status is null or c.status = wanted_status) and (wanted_channel is null or c.pay_channel = wanted_channel)
      union all
      -- Days of the months it cuts.
      select date_trunc('month', c.day)::date, c.orders, c.fee_cents, c.actual_cents from order_day_counters c
       where c.scope_kind = wanted_kind and c.scope_id = any(wanted_scopes)
         and c.day between first_day and last_day
         and (c.day < (date_trunc('month', first_day) + interval '1 month')::date and first_day <> date_trunc('month', first_day)::date
              or c.day >= date_trunc('month', last_day)::date and last_day <> (date_trunc('month', last_day) + interval '1 month')::date - 1)
         and (wanted_status is null or c.status = wanted_status) and (wanted_channel is null or c.pay_channel = wanted_channel)
      union all
      select date_trunc('month', d.day)::date, d.orders, d.fee_cents, d.actual_cents
        from order_deltas_of(pending, wanted_kind, wanted_scopes, first_day, last_day, wanted_status, wanted_channel) d)
    select c.month, sum(c.orders)::bigint as orders, sum(c.fee_cents)::bigint as fee_cents, sum(c.actual_cents)::bigint as actual_cents
      from counted c group by c.month order by c.month desc
  loop
    total := total + unit.orders;
    fee_cents := fee_cents + unit.fee_cents;
    actual_cents := actual_cents + unit.actual_cents;
    if to_take > 0 then
      if to_skip >= unit.orders then
        to_skip := to_skip - unit.orders;
      else
        for day_row in
          select c.day, sum(c.orders)::bigint as orders from (
            select c.day, c.orders from order_day_counters c
             where c.scope_kind = wanted_kind and c.scope_id = any(wanted_scopes)
               and c.day between greatest(first_day, unit.month) and least(last_day, (unit.month + interval '1 month')::date - 1)
               and (wanted_status is null or c.status = wanted_status) and (wanted_channel is null or c.pay_channel = wanted_channel)
            union all
            select d.day, d.orders
              from order_deltas_of(pending, wanted_kind, wanted_scopes, greatest(first_day, unit.month),
                                   least(last_day, (unit.month + interval '1 month')::date - 1), wanted_status, wanted_channel) d) c
           group by c.day having sum(c.orders) > 0 order by c.day desc
        loop
          exit when to_take <= 0;
          if to_skip >= day_row.orders then
            to_skip := to_skip - day_row.orders;
          else
            found := true;
            days := days || day_row.day;
            skips := skips || to_skip;
            takes := takes || least(to_take, day_row.orders - to_skip);
            to_take := to_take - least(to_take, day_row.orders - to_skip);
            to_skip := 0;
          end if;
        end loop;
      end if;
    end if;
  end loop;
  if not found then
    return next;
    return;
  end if;
  for index in 1 .. array_length(days, 1) loop
    day := days[index]; skip := skips[index]; take := takes[index];
    return next;
  end loop;
end $$;

-- Changes of orders that the counters do not have yet, within a scope.
create function order_deltas_of(
  pending boolean, wanted_kind char, wanted_scopes bigint[], first_day date, last_day date, wanted_status smallint, wanted_channel text)
returns table (day date, orders bigint, fee_cents bigint, actual_cents bigint)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  if not pending then return; end if;
  return query
  select d.day, sum(d.orders)::bigint, sum(d.fee_cents)::bigint, sum(d.actual_cents)::bigint
    from order_counter_deltas d
   where d.day between first_day and last_day
     and (wanted_status is null or d.status = wanted_status) and (wanted_channel is null or d.pay_channel = wanted_channel)
     and case when wanted_kind = 'p' then d.place_id = any(wanted_scopes)
         else exists (select 1 from organisations o where o.id = d.merchant_id and string_to_array(o.path::text, '.')::bigint[] && wanted_scopes) end
   group by d.day;
end $$;
