-- What a board says of its status is known at once, and sold by; it is shown and written into the history later where the
-- board wavers (docs/decisions/0467).
alter table device_states
  add column held_status smallint check (held_status in (1, 2, 3, 4)), -- what it is by now, while another is shown
  add column said_at timestamptz;                                      -- when it said so; null: at status_since
-- Few boards waver.
create index device_states_held on device_states (device_id) where held_status is not null;

-- How long a wavering board is shown with a status at least. That it comes and goes is not left for long.
create function least_status_time(status smallint, next_status smallint) returns interval immutable parallel safe language sql as $$
  select case when 2 in (status, next_status) then interval '5 seconds' else interval '1 minute' end
$$;

-- As before, but the next status of a board that has changed twenty times within twenty minutes is held back until the
-- one before was shown for a while. Only the latest is held, and none where the board is again what is shown.
create or replace function change_device_statuses(by_gateway text, sids text[], statuses smallint[], instants timestamptz[]) returns void
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  perform 1 from devices d where d.sid = any(sids) and d.removed_at is null order by d.id for no key update;
  perform 1 from devices d join device_states s on s.device_id = d.id where d.sid = any(sids) and d.removed_at is null
    order by s.device_id for update of s;
  -- Only a statement begun after the locks are held sees what was written before.
  with said as materialized (
    select d.id, d.merchant_id, d.sid, s.status_since, c.status, c.at,
           s.status <> c.status
             and (c.at >= s.status_since + least_status_time(s.status, c.status)
                  or (select count(*) from (
                        select from device_status_history h
                         where h.device_id = d.id and h.reported_at > c.at - interval '20 minutes' limit 20) late) < 20) as is_shown
      from unnest(sids, statuses, instants) as c (sid, status, at)
      join devices d on d.sid = c.sid and d.removed_at is null
      join device_states s on s.device_id = d.id
     where (s.status <> c.status or s.held_status is not null)
       and (s.last_seen_at is null or s.last_seen_at <= c.at and coalesce(s.said_at, s.status_since) <= c.at)),
  changed as (
    select id, merchant_id, sid, status_since, status, greatest(at, status_since) as at from said where is_shown),
  shown as (
    update devices d set shown_status = c.status from changed c where d.id = c.id),
  stored as (
    update device_states s set status = c.status, status_since = c.at, gateway = by_gateway,
           signal = case when c.status = 2 then 0 else s.signal end,
           said_at = case when s.held_status = c.status then s.said_at end, held_status = null
      from changed c where c.id = s.device_id),
  held as (
    update device_states s set held_status = nullif(c.status, s.status), gateway = by_gateway,
           said_at = case when s.held_status = c.status then s.said_at else c.at end
      from said c where c.id = s.device_id and not c.is_shown),
  closed as (
    update device_status_history h set ended_at = c.at
      from changed c where h.device_id = c.id and h.reported_at = c.status_since and h.ended_at is null)
  insert into device_status_history (device_id, merchant_id, sid, status, reported_at, host_name)
  select id, merchant_id, sid, status, at, by_gateway from changed;
end $$;

-- Shows what was held back for long enough.
create function show_held_statuses(by_gateway text) returns void
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  due bigint[] := array(
    select device_id from device_states
     where held_status is not null and status_since + least_status_time(status, held_status) <= clock_timestamp());
begin
  if due = '{}' then return; end if;
  perform 1 from devices where id = any(due) order by id for no key update;
  perform 1 from device_states where device_id = any(due) order by device_id for update;
  -- Only a statement begun after the locks are held sees what was said meanwhile.
  perform change_device_statuses(
            by_gateway, array_agg(d.sid), array_agg(s.held_status), array_agg(greatest(clock_timestamp(), s.last_seen_at)))
     from device_states s join devices d on d.id = s.device_id
    where s.device_id = any(due) and s.held_status is not null;
end $$;

-- As before, by what a board is known to be, whether that is shown yet or not. One that is still shown in trouble keeps
-- the code of it.
create or replace function store_device_reports(
  by_gateway text, sids text[], statuses smallint[], signals smallint[], boot_ids text[], running_ids text[],
  remaining_seconds integer[], trouble_codes text[], instants timestamptz[]) returns setof text
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  return query
  with reported as (
    select d.id as device_id, r.*
      from unnest(sids, statuses, signals, boot_ids, running_ids, remaining_seconds, trouble_codes, instants)
        as r (sid, status, signal, boot_id, running_id, remaining, trouble_code, at)
      join devices d on d.sid = r.sid and d.removed_at is null
     order by d.id),
  stored as (
    update device_states s set
      signal = r.signal, last_seen_at = r.at, boot_id = r.boot_id, gateway = by_gateway,
      trouble_code = case when s.status = 3 and r.status <> 3 then s.trouble_code else r.trouble_code end,
      running_command_id = r.running_id,
      running_until = case when r.running_id <> '' then r.at + make_interval(secs => r.remaining) end
      from reported r
     where s.device_id = r.device_id and coalesce(s.held_status, s.status) = r.status
       and (s.last_seen_at is null or s.last_seen_at <= r.at)
    returning s.device_id)
  select r.sid from reported r where r.device_id not in (select device_id from stored);
end $$;

-- As before; nothing that is held back is known of its board either.
create or replace function retire_devices(ids bigint[]) returns void
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from device_mutes where device_id = any(ids);
  perform 1 from device_states where device_id = any(ids) order by device_id for update;
  update device_status_history h set ended_at = greatest(clock_timestamp(), s.status_since)
    from device_states s
   where s.device_id = any(ids) and h.device_id = s.device_id and h.reported_at = s.status_since and h.ended_at is null;
  update device_states s set status = 2, signal = 0, last_seen_at = null, status_since = greatest(clock_timestamp(), s.status_since),
         boot_id = '', running_command_id = '', running_until = null, trouble_code = '', gateway = '', held_status = null, said_at = null
   where s.device_id = any(ids);
  perform dismiss_boards(ids);
end $$;
