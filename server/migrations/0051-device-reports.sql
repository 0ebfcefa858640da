-- What boards report, many at once. Functions, because a batch has to be looked up row by row: left to itself the planner
-- reads whole tables for five hundred rows, and every month of the history. Both lock in the order of ids and are a
-- transaction each, so that batches of different processes never wait for each other in a circle.

-- Gives devices another status: closes the open row of the history and begins a new one. A change that is older than
-- the last report is none.
create function change_device_statuses(by_gateway text, sids text[], statuses smallint[], instants timestamptz[]) returns void
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  perform 1 from devices d join device_states s on s.device_id = d.id where d.sid = any(sids) order by s.device_id for update of s;
  -- Only a statement begun after the locks are held sees what was written before.
  with changed as (
    select d.id, d.merchant_id, d.sid, s.status_since, c.status, greatest(c.at, s.status_since) as at
      from unnest(sids, statuses, instants) as c (sid, status, at)
      join devices d on d.sid = c.sid
      join device_states s on s.device_id = d.id
     where s.status <> c.status and (s.last_seen_at is null or s.last_seen_at <= c.at)),
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

-- Stores reports of different boards that change no status: one narrow row each, and nothing else. Answers the other
-- boards, whose status has to be changed first, or whose report is old.
create function store_device_reports(
  by_gateway text, sids text[], statuses smallint[], signals smallint[], boot_ids text[], running_ids text[],
  remaining_seconds integer[], trouble_codes text[], instants timestamptz[]) returns setof text
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  return query
  with reported as (
    select d.id as device_id, r.*
      from unnest(sids, statuses, signals, boot_ids, running_ids, remaining_seconds, trouble_codes, instants)
        as r (sid, status, signal, boot_id, running_id, remaining, trouble_code, at)
      join devices d on d.sid = r.sid
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
