-- A device is somebody's for a term: what was said, sold and muted in another term is not for who holds it now.

-- When it came to who holds it: sales from before are another's to see. Null: it never changed hands.
alter table devices add column held_since timestamptz;

create function note_change_of_hands() returns trigger language plpgsql as $$
begin
  -- Not the beginning of the transaction: whoever held it may have sold while it waited for the device.
  new.held_since := clock_timestamp();
  return new;
end $$;
create trigger devices_change_hands before update of merchant_id on devices
  for each row when (old.merchant_id is distinct from new.merchant_id) execute function note_change_of_hands();

-- After devices came to another merchant, or to one at all: their online history goes on with a row of its new holder, and
-- nobody has muted them. Devices are locked before their states, both in the order of ids, as by everybody who changes several.
create function hand_over_devices(ids bigint[]) returns void
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from device_mutes where device_id = any(ids);
  perform 1 from device_states where device_id = any(ids) order by device_id for update;
  -- Only a statement begun after the locks are held sees what was written before.
  with handed as (
    select d.id, d.merchant_id, d.sid, s.status, s.status_since, greatest(clock_timestamp(), s.status_since) as at
      from devices d join device_states s on s.device_id = d.id where d.id = any(ids)),
  closed as (
    update device_status_history h set ended_at = c.at
      from handed c where h.device_id = c.id and h.reported_at = c.status_since and h.ended_at is null
    returning h.device_id, h.host_name),
  stated as (
    update device_states s set status_since = c.at
      from handed c where s.device_id = c.id and c.id in (select device_id from closed))
  insert into device_status_history (device_id, merchant_id, sid, status, reported_at, host_name)
  select c.id, c.merchant_id, c.sid, c.status, c.at, h.host_name from handed c join closed h on h.device_id = c.id;
end $$;

-- After devices were removed: their online history ends, nothing is known of their boards any more, and whoever has these
-- connected is told to let them go.
create function retire_devices(ids bigint[]) returns void
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from device_mutes where device_id = any(ids);
  perform 1 from device_states where device_id = any(ids) order by device_id for update;
  update device_status_history h set ended_at = greatest(clock_timestamp(), s.status_since)
    from device_states s
   where s.device_id = any(ids) and h.device_id = s.device_id and h.reported_at = s.status_since and h.ended_at is null;
  update device_states s set status = 2, signal = 0, last_seen_at = null, status_since = greatest(clock_timestamp(), s.status_since),
         boot_id = '', running_command_id = '', running_until = null, trouble_code = '', gateway = ''
   where s.device_id = any(ids);
  -- Of a payload there may be 8000 bytes, of an id 20.
  perform pg_notify('boards_removed', string_agg(sid, ','))
     from (select sid, row_number() over (order by sid) / 300 as part from devices where id = any(ids)) d group by part;
end $$;

-- As before, but devices are locked before their states, and what the board of a removed device says is nobody's.
create or replace function change_device_statuses(by_gateway text, sids text[], statuses smallint[], instants timestamptz[]) returns void
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  perform 1 from devices d where d.sid = any(sids) and d.removed_at is null order by d.id for no key update;
  perform 1 from devices d join device_states s on s.device_id = d.id where d.sid = any(sids) and d.removed_at is null
    order by s.device_id for update of s;
  -- Only a statement begun after the locks are held sees what was written before.
  with changed as (
    select d.id, d.merchant_id, d.sid, s.status_since, c.status, greatest(c.at, s.status_since) as at
      from unnest(sids, statuses, instants) as c (sid, status, at)
      join devices d on d.sid = c.sid and d.removed_at is null
      join device_states s on s.device_id = d.id
     where s.status <> c.status and (s.last_seen_at is null or s.last_seen_at <= c.at)),
  shown as (
    update devices d set shown_status = c.status from changed c where d.id = c.id),
  stored as (
    update device_states s set status = c.status, status_since = c.at, gateway = by_gateway,
           signal = case when c.status = 2 then 0 else s.signal end
      from changed c where c.id = s.device_id),
  closed as (
    update device_status_history h set ended_at = c.at
      from changed c where h.device_id = c.id and h.reported_at = c.status_since and h.ended_at is null)
  insert into device_status_history (device_id, merchant_id, sid, status, reported_at, host_name)
  select id, merchant_id, sid, status, at, by_gateway from changed;
end $$;

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
      signal = r.signal, last_seen_at = r.at, boot_id = r.boot_id, trouble_code = r.trouble_code, gateway = by_gateway,
      running_command_id = r.running_id,
      running_until = case when r.running_id <> '' then r.at + make_interval(secs => r.remaining) end
      from reported r
     where s.device_id = r.device_id and s.status = r.status and (s.last_seen_at is null or s.last_seen_at <= r.at)
    returning s.device_id)
  select r.sid from reported r where r.device_id not in (select device_id from stored);
end $$;

-- What stands from before: since when they are whose they are, as far as their log tells, and what another term left.
update devices d set held_since = l.at
  from (select device_id, max(operate_time) as at from device_logs where action = 'movedIn' group by device_id) l
 where l.device_id = d.id and d.merchant_id is not null;
update devices set bound_at = held_since where bound and bound_at < held_since;
delete from device_mutes m using devices d where d.id = m.device_id and m.muted_at < d.held_since;
select retire_devices(array(select id from devices where removed_at is not null order by id));
select hand_over_devices(array(
  select d.id from devices d join device_states s on s.device_id = d.id
    join device_status_history h on h.device_id = d.id and h.reported_at = s.status_since and h.ended_at is null
   where d.removed_at is null and h.merchant_id is distinct from d.merchant_id order by d.id));
