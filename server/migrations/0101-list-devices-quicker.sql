-- The device list by any filter, with its total, from one index: what can be filtered by stands in `devices` and in both
-- indexes of its order. The status does too. It changes when a board comes or goes, not with each heartbeat, which still
-- touches nothing here.
alter table devices add column shown_status smallint not null default 2;
update devices d set shown_status = s.status from device_states s where s.device_id = d.id and s.status <> d.shown_status;

alter table devices drop constraint devices_sid_key;
create unique index devices_sid_key on devices (sid)
  include (id, merchant_id, model_id, shown_status, locked, bound, place_id, template_id, sleep_template_id, removed_at);
drop index devices_merchant;
create index devices_merchant on devices (merchant_id, sid)
  include (id, model_id, shown_status, locked, bound, place_id, template_id, sleep_template_id, removed_at);
-- Indexes are read alone as long as the table is vacuumed.
alter table devices set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- As before, with what the list shows. Devices are locked in the order of their ids, as by everybody who changes several.
create or replace function change_device_statuses(by_gateway text, sids text[], statuses smallint[], instants timestamptz[]) returns void
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  perform 1 from devices d join device_states s on s.device_id = d.id where d.sid = any(sids) order by s.device_id for update of s;
  perform 1 from devices d where d.sid = any(sids) order by d.id for no key update;
  -- Only a statement begun after the locks are held sees what was written before.
  with changed as (
    select d.id, d.merchant_id, d.sid, s.status_since, c.status, greatest(c.at, s.status_since) as at
      from unnest(sids, statuses, instants) as c (sid, status, at)
      join devices d on d.sid = c.sid
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

-- Whoever else writes a status need not know of the other.
create function show_device_status() returns trigger language plpgsql as $$
begin
  if exists (select from devices where id = new.device_id and shown_status <> new.status) then
    update devices set shown_status = new.status where id = new.device_id;
  end if;
  return null;
end $$;
create trigger device_status_changed after update of status on device_states
  for each row when (old.status <> new.status) execute function show_device_status();
create trigger device_status_begun after insert on device_states
  for each row when (new.status <> 2) execute function show_device_status();

-- Merchants that no money can be taken for. Where the platform has a channel these are the few whose route leads elsewhere,
-- and only they are looked at.
create function merchants_without_pay_channel() returns setof bigint stable rows 10 language plpgsql as $$
begin
  if exists (select from pay_channels c where c.organisation_id = 1 and c.bound and not c.locked and c.name = any(served_pay_channels('default'))) then
    return query select r.merchant_id from pay_routers r where r.router <> 'default' and not has_pay_channel(r.merchant_id);
  else
    return query select m.id from organisations m where m.kind = 'merchant' and not has_pay_channel(m.id);
  end if;
end $$;

drop function merchants_with_pay_channel();
