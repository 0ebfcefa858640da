-- What tells that a device sells nothing for unusually long: how trade goes at its place, how long its pauses were, and
-- when it sold last. docs/alerts.md has the rule in words.

-- The instant of the last sale beside its day.
alter table income_deltas add column booked_at timestamptz not null default now();
alter table device_last_sales add column last_at timestamptz;

create or replace function note_device_sales() returns trigger language plpgsql as $$
begin
  insert into device_last_sales as s (device_id, last_day, last_at)
  select device_id, max(day), max(booked_at) from folded where device_id is not null and count > 0 group by device_id
  on conflict (device_id) do update set last_day = greatest(s.last_day, excluded.last_day), last_at = greatest(s.last_at, excluded.last_at)
   where s.last_day < excluded.last_day or s.last_at is null or s.last_at < excluded.last_at;
  return null;
end $$;

create or replace function rebuild_device_sales() returns void language sql as $$
  insert into device_last_sales as s (device_id, last_day, last_at)
  select o.device_id, (max(o.paid_at) at time zone min(p.time_zone))::date, max(o.paid_at)
    from orders o cross join platform_settings p
   where o.device_id is not null and o.paid_at is not null group by o.device_id
  on conflict (device_id) do update set last_day = greatest(s.last_day, excluded.last_day), last_at = greatest(s.last_at, excluded.last_at)
   where s.last_day < excluded.last_day or s.last_at is null or s.last_at < excluded.last_at
$$;
select rebuild_device_sales();

-- How much is sold at a place in each hour of the week, on the mean of all hours 1, and nothing while it is closed. So an
-- hour of trade is a clock's hour on the mean, and passes quickly when people come.
create table place_rhythms (
  place_id   bigint primary key references places (id) on delete cascade,
  week_trade double precision[] not null,        -- 168, from midnight before Monday
  learned_at timestamptz not null
);
create index place_rhythms_learned on place_rhythms (learned_at);

create table device_rhythms (
  device_id   bigint primary key references devices (id) on delete cascade,
  place_id    bigint not null,                   -- where it was learned; elsewhere it is another device
  usual_hours double precision not null,         -- of trade: most pauses were no longer
  limit_hours double precision not null,         -- a longer one is unusual
  idle_from   timestamptz not null,              -- it could have sold since, and did not
  quiet_from  timestamptz not null,              -- from then on its pause is unusual
  is_stale    boolean not null default true      -- `quiet_from` is to be reckoned anew
) with (fillfactor = 80);
create index device_rhythms_quiet on device_rhythms (quiet_from);

-- The hour of the week that a local instant is in, from 1.
create function hour_of_week(local timestamp) returns integer immutable parallel safe language sql as $$
  select (extract(isodow from local)::integer - 1) * 24 + extract(hour from local)::integer + 1
$$;

-- The instant at which so many hours of trade have passed at a place; never, where there is none.
create function after_trade(week_trade double precision[], since timestamptz, hours double precision, zone text) returns timestamptz
stable language plpgsql as $$
declare
  local timestamp := since at time zone zone;
  slot integer := hour_of_week(local);
  -- What is gone of the first hour.
  gone double precision := extract(epoch from local - date_trunc('hour', local))::double precision / 3600;
  week double precision := 0;
  trade double precision;
  passed integer := 0;
  rest double precision;
begin
  foreach trade in array week_trade loop week := week + trade; end loop;
  if week <= 0 then return 'infinity'; end if;
  rest := hours - floor(hours / week) * week + gone * week_trade[slot];
  -- At most a week and the rest of the first hour.
  while rest > week_trade[slot] and passed < 169 loop
    rest := rest - week_trade[slot];
    slot := slot % 168 + 1;
    passed := passed + 1;
  end loop;
  return (date_trunc('hour', local) + floor(hours / week) * interval '7 days'
          + (passed + case when week_trade[slot] > 0 then rest / week_trade[slot] else 0 end) * interval '1 hour') at time zone zone;
end $$;

-- Learns how a place trades and how long the pauses of its devices are, from what was sold there. A device with too few
-- pauses keeps what was learned before: one that stopped selling must not be forgotten for it.
create function learn_rhythm(
  place bigint, at timestamptz, days integer, least_pauses integer, quantile double precision, factor double precision,
  least_hours double precision) returns void
language plpgsql as $$
declare
  zone text := (select time_zone from platform_settings);
  first_at timestamptz := at - make_interval(days => days);
begin
  insert into place_rhythms as r (place_id, week_trade, learned_at)
  with sold as (
    select o.paid_at at time zone zone as local from orders o
     where o.place_id = place and o.order_time > first_at - interval '1 day' and o.order_time <= at and o.paid_at between first_at and at),
  hours as (select extract(hour from local)::integer as hour, count(*) as sales from sold group by 1),
  weekdays as (select extract(isodow from local)::integer as weekday, count(*) as sales from sold group by 1),
  sums as (select greatest(count(*), 1)::double precision as sales from sold)
  -- By hour and by weekday apart, which takes few sales. A tenth is spread evenly, so that no hour counts for nothing
  -- because nobody has come in it yet.
  select place,
         (select array_agg((0.1 + 0.9 * 24 * coalesce(h.sales, 0) / s.sales) * (0.1 + 0.9 * 7 * coalesce(w.sales, 0) / s.sales)
                           * ((open_since(p.open_time, p.close_time, slot + interval '15 minutes') is not null)::integer
                            + (open_since(p.open_time, p.close_time, slot + interval '45 minutes') is not null)::integer) / 2
                           order by slot)
            from generate_series(timestamp '2024-01-01', timestamp '2024-01-07 23:00', interval '1 hour') slot  -- a Monday
            left join hours h on h.hour = extract(hour from slot) left join weekdays w on w.weekday = extract(isodow from slot)),
         at
    from sums s join places p on p.id = place
  on conflict (place_id) do update set week_trade = excluded.week_trade, learned_at = excluded.learned_at;

  insert into device_rhythms as r (device_id, place_id, usual_hours, limit_hours, idle_from, quiet_from)
  with hours as materialized (
    select hour, trade, sum(trade) over (order by hour) - trade as before
      from (select h as hour, r.week_trade[hour_of_week(h)] as trade
              from place_rhythms r
             cross join generate_series(date_trunc('hour', first_at at time zone zone), at at time zone zone, interval '1 hour') h
             where r.place_id = place) by_hour),
  sold as (
    select o.device_id, o.paid_at,
           h.before + h.trade * extract(epoch from o.paid_at at time zone zone - h.hour)::double precision / 3600 as trade_at
      from orders o join devices d on d.id = o.device_id and d.place_id = place
      join hours h on h.hour = date_trunc('hour', o.paid_at at time zone zone)
     where o.place_id = place and o.order_time > first_at - interval '1 day' and o.order_time <= at and o.paid_at between first_at and at),
  pauses as (
    select device_id, paid_at, trade_at - lag(trade_at) over (partition by device_id order by paid_at) as pause from sold),
  usual as (
    select device_id, max(paid_at) as last_at, percentile_cont(quantile) within group (order by pause) as hours
      from pauses group by device_id having count(pause) >= least_pauses)
  select device_id, place, hours, greatest(least_hours, factor * hours), last_at, at from usual
  on conflict (device_id) do update
     set place_id = excluded.place_id, usual_hours = excluded.usual_hours, limit_hours = excluded.limit_hours,
         idle_from = case when r.place_id = excluded.place_id then greatest(r.idle_from, excluded.idle_from) else excluded.idle_from end,
         is_stale = true, quiet_from = least(r.quiet_from, excluded.quiet_from)
   where (r.place_id, r.usual_hours, r.limit_hours) is distinct from (excluded.place_id, excluded.usual_hours, excluded.limit_hours);
end $$;
