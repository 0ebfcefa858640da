-- As before, but a report from before the last change of a status does not take it back: a heartbeat that one gateway heard
-- and had not stored yet, when another stored that the board is gone, brought it back for as long as silence takes.
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
     where s.status <> c.status and (s.last_seen_at is null or s.last_seen_at <= c.at and s.status_since <= c.at)),
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
