-- The online history of a merchant as the order list: rows are counted by the platform's days, so that a page is found
-- without counting and skipping hundreds of thousands of rows. Whoever adds rows appends how many; it is folded in the
-- background and added by reads until then.
create table device_status_days (
  merchant_id bigint not null,
  day         date not null,
  changes     integer not null,
  primary key (merchant_id, day)
) with (fillfactor = 80);

create table device_status_deltas (
  id          bigint generated always as identity primary key,
  merchant_id bigint not null,
  day         date not null,
  changes     integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function append_status_deltas() returns trigger language plpgsql as $$
begin
  insert into device_status_deltas (merchant_id, day, changes)
  select c.merchant_id, (c.reported_at at time zone p.time_zone)::date, count(*) * case tg_op when 'INSERT' then 1 else -1 end
    from changed c cross join platform_settings p where c.merchant_id is not null group by 1, 2;
  return null;
end $$;
create trigger status_history_added after insert on device_status_history referencing new table as changed
  for each statement execute function append_status_deltas();
create trigger status_history_removed after delete on device_status_history referencing old table as changed
  for each statement execute function append_status_deltas();

-- Moves deltas into the days; one at a time, whoever asks.
create function fold_device_status() returns void language plpgsql as $$
begin
  if not exists (select from device_status_deltas) or not pg_try_advisory_xact_lock(7205166) then return; end if;
  with taken as (delete from device_status_deltas returning merchant_id, day, changes)
  insert into device_status_days as d (merchant_id, day, changes)
  select merchant_id, day, sum(changes) from taken group by 1, 2
  on conflict (merchant_id, day) do update set changes = d.changes + excluded.changes;
end $$;

-- Counts everything anew.
create function rebuild_device_status_days() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7205166);
  delete from device_status_days;
  -- One statement, so that the deltas it takes are those of the rows it counts.
  with taken as (delete from device_status_deltas)
  insert into device_status_days (merchant_id, day, changes)
  select h.merchant_id, (h.reported_at at time zone p.time_zone)::date, count(*)
    from device_status_history h cross join platform_settings p where h.merchant_id is not null group by 1, 2;
end $$;
select rebuild_device_status_days();

-- Days begin elsewhere in another time zone, which can be chosen until there are orders.
create function recount_status_days() returns trigger language plpgsql as $$
begin
  perform rebuild_device_status_days();
  return null;
end $$;
create trigger platform_settings_time_zone_changed after update of time_zone on platform_settings
  for each row when (old.time_zone <> new.time_zone) execute function recount_status_days();

-- A page of a merchant's online history, newest first, and the exact total; a null is no bound. Each row of the page has
-- the total; one row without a device when the page is past the end.
create function page_of_device_status(
  wanted_merchant bigint, first_day date, last_day date, skip_rows bigint, take_rows bigint)
returns table (total bigint, found device_status_history)
language plpgsql stable rows 10 set plan_cache_mode = force_generic_plan as $$
declare
  zone text := (select time_zone from platform_settings);
  counted bigint := 0;
  unit record;
  newest_day date;
  oldest_day date;
  skip_in_days bigint;
begin
  for unit in
    select d.day, sum(d.changes) as changes from (
      select day, changes from device_status_days where merchant_id = wanted_merchant
      union all
      select day, changes from device_status_deltas where merchant_id = wanted_merchant) d
     where (first_day is null or d.day >= first_day) and (last_day is null or d.day <= last_day)
     group by d.day order by d.day desc
  loop
    if counted < skip_rows + take_rows and counted + unit.changes > skip_rows then
      skip_in_days := coalesce(skip_in_days, skip_rows - counted);
      newest_day := coalesce(newest_day, unit.day);
      oldest_day := unit.day;
    end if;
    counted := counted + unit.changes;
  end loop;
  if newest_day is null then
    return query select counted, null::device_status_history;
    return;
  end if;
  return query
  select counted, h from device_status_history h
   where h.merchant_id = wanted_merchant
     and h.reported_at >= oldest_day::timestamp at time zone zone and h.reported_at < (newest_day + 1)::timestamp at time zone zone
   order by h.reported_at desc, h.device_id offset skip_in_days limit take_rows;
end $$;
