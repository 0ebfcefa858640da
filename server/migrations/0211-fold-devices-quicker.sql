-- A device that comes or goes leaves one status for another, which is nothing to any total but that of its status. The
-- counters it comes to are put up first, empty, so that one statement takes it from one and adds it to the other, and
-- totals see both at once.
create or replace function fold_device_counters(most integer default 50000) returns integer language plpgsql as $$
declare
  moved integer;
begin
  if not exists (select from device_counter_deltas) or not pg_try_advisory_xact_lock(7205161) then return 0; end if;
  insert into device_counters (organisation_id, shelf, model_id, status, locked, equipped, devices)
  select distinct scope.id, device_shelf(c.sid), c.model_id, c.status, c.locked, c.equipped, 0
    from (select sid, merchant_id, model_id, status, locked, equipped from device_counter_deltas where devices > 0 order by id limit most) c
    left join organisations m on m.id = c.merchant_id
   cross join lateral unnest(device_scopes(m.path)) scope (id)
  on conflict do nothing;
  with taken as (
    delete from device_counter_deltas where id in (select id from device_counter_deltas order by id limit most)
    returning sid, merchant_id, model_id, status, locked, equipped, devices),
  summed as (
    select device_shelf(sid) as shelf, merchant_id, model_id, status, locked, equipped, sum(devices) as devices
      from taken group by 1, 2, 3, 4, 5, 6 having sum(devices) <> 0),
  folded as (
    insert into device_counters as c (organisation_id, shelf, model_id, status, locked, equipped, devices)
    select scope.id, s.shelf, s.model_id, s.status, s.locked, s.equipped, sum(s.devices)
      from summed s left join organisations m on m.id = s.merchant_id
     cross join lateral unnest(device_scopes(m.path)) scope (id) group by 1, 2, 3, 4, 5, 6
    on conflict (organisation_id, shelf, model_id, status, locked, equipped) do update set devices = c.devices + excluded.devices)
  select count(*) from taken into moved;
  delete from device_counters where devices = 0;
  return moved;
end $$;
