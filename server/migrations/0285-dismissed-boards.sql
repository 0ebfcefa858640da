-- Boards whose connections have to end, because their password is worth nothing any more: their device was removed, or was
-- given another password. Who was not connected to the database meanwhile looks here for what it missed.
create table dismissed_boards (
  sid          text primary key,
  dismissed_at timestamptz not null
);
create index dismissed_boards_at on dismissed_boards (dismissed_at);

-- After the credentials of devices were changed, in the same transaction; heard when it commits. In the order of their
-- ids, so that callers never wait for each other in a circle.
create function dismiss_boards(ids bigint[]) returns void language plpgsql as $$
begin
  insert into dismissed_boards (sid, dismissed_at)
  select sid, clock_timestamp() from devices where id = any(ids) order by id
  on conflict (sid) do update set dismissed_at = excluded.dismissed_at;
  -- Of a payload there may be 8000 bytes, of an id 20.
  perform pg_notify('boards_removed', string_agg(sid, ','))
     from (select sid, row_number() over (order by sid) / 300 as part from devices where id = any(ids)) d group by part;
end $$;

-- As before, but those who have the boards connected are told by `dismiss_boards`.
create or replace function retire_devices(ids bigint[]) returns void
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
  perform dismiss_boards(ids);
end $$;
