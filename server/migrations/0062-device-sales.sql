-- The platform's day on which a device sold last: what tells quiet devices without looking through orders.
create table device_last_sales (
  device_id bigint primary key,
  last_day  date not null
) with (fillfactor = 80);

-- Income changes pass here when they are folded into the reports, in the background: no sale waits for it. Reads add
-- what is not folded yet.
create function note_device_sales() returns trigger language plpgsql as $$
begin
  insert into device_last_sales as s (device_id, last_day)
  select device_id, max(day) from folded where device_id is not null and count > 0 group by device_id
  on conflict (device_id) do update set last_day = excluded.last_day where s.last_day < excluded.last_day;
  return null;
end $$;
create trigger income_deltas_folded after delete on income_deltas referencing old table as folded
  for each statement execute function note_device_sales();

-- From the orders themselves, for a history that was written past the deltas.
create function rebuild_device_sales() returns void language sql as $$
  insert into device_last_sales as s (device_id, last_day)
  select o.device_id, max((o.paid_at at time zone p.time_zone)::date)
    from orders o cross join platform_settings p
   where o.device_id is not null and o.paid_at is not null group by o.device_id
  on conflict (device_id) do update set last_day = excluded.last_day where s.last_day < excluded.last_day
$$;
select rebuild_device_sales();
