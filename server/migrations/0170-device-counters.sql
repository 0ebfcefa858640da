-- The device list as the order list: a page, whoever's it is, is located by counters and only its own rows are passed
-- over. Orders have days; devices stand in the order of their ids and are counted by shelf, which is a stretch of some
-- two thousand ids. Who changes devices appends what changes in the counters; it is folded in the background, into the
-- counters of every organisation above, and added by reads until then.
drop trigger devices_faceted_in on devices;
drop trigger devices_faceted_anew on devices;
drop trigger devices_faceted_out on devices;
drop function keep_device_facets();
drop table device_facets;

-- Shelves in the order of their ids. The first begins before all ids.
create table device_shelves (
  shelf     integer primary key,
  first_sid text not null unique
);
insert into device_shelves values (0, '');

create function device_shelf(of_sid text) returns integer stable language sql as $$
  select shelf from device_shelves where first_sid <= of_sid order by first_sid desc limit 1
$$;

create table device_counters (
  organisation_id bigint not null,     -- with all below it; 0: devices of nobody
  shelf           integer not null,
  model_id        bigint not null,
  status          smallint not null,
  locked          smallint not null,
  equipped        smallint not null,   -- 0 unbound, 1 bound with place and template, 2 bound without one of them
  devices         integer not null,
  primary key (organisation_id, shelf, model_id, status, locked, equipped)
) with (fillfactor = 70);
create index device_counters_empty on device_counters (organisation_id) where devices = 0;

create table device_counter_deltas (
  id          bigint generated always as identity primary key,
  sid         text not null,
  merchant_id bigint,
  model_id    bigint not null,
  status      smallint not null,
  locked      smallint not null,
  equipped    smallint not null,
  devices     integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- As with orders, a generator of history says `chairside.bulk_load = on` and rebuilds afterwards.
create function append_device_deltas() returns trigger language plpgsql as $$
begin
  if current_setting('chairside.bulk_load', true) = 'on' then return null; end if;
  if tg_op = 'INSERT' then
    insert into device_counter_deltas (sid, merchant_id, model_id, status, locked, equipped, devices)
    select sid, merchant_id, model_id, shown_status, locked, device_equipment(bound, place_id, template_id), 1
      from new_rows where removed_at is null;
  elsif tg_op = 'DELETE' then
    insert into device_counter_deltas (sid, merchant_id, model_id, status, locked, equipped, devices)
    select sid, merchant_id, model_id, shown_status, locked, device_equipment(bound, place_id, template_id), -1
      from old_rows where removed_at is null;
  else
    insert into device_counter_deltas (sid, merchant_id, model_id, status, locked, equipped, devices)
    select sid, merchant_id, model_id, shown_status, locked, device_equipment(bound, place_id, template_id), sum(sign)
      from (select *, -1 as sign from old_rows where removed_at is null
            union all
            select *, 1 from new_rows where removed_at is null) changed
     group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0;
  end if;
  return null;
end $$;
create trigger devices_added after insert on devices referencing new table as new_rows
  for each statement execute function append_device_deltas();
create trigger devices_changed after update on devices referencing old table as old_rows new table as new_rows
  for each statement execute function append_device_deltas();
create trigger devices_deleted after delete on devices referencing old table as old_rows
  for each statement execute function append_device_deltas();

-- The organisations a device is counted for, given its merchant's place in the tree.
create function device_scopes(path_of_merchant ltree) returns bigint[] immutable language sql as $$
  select case when path_of_merchant is null then array[0, 1] else string_to_array(path_of_merchant::text, '.')::bigint[] end
$$;

-- Moves deltas into the counters of every organisation; one at a time, whoever asks. Answers how many it moved.
create function fold_device_counters(most integer default 50000) returns integer language plpgsql as $$
declare
  moved integer;
begin
  if not exists (select from device_counter_deltas) or not pg_try_advisory_xact_lock(7205161) then return 0; end if;
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

-- Puts up shelves anew and counts everything. Nobody who changes or reads devices waits for it.
create function rebuild_device_counters() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7205161);
  delete from device_shelves;
  insert into device_shelves
  select 0, '' union all
  select place / 2000, sid from (select sid, row_number() over (order by sid) as place from devices where removed_at is null) d where place % 2000 = 0;
  delete from device_counters;
  -- One statement, so that the deltas it takes are those of the devices it counts.
  with taken as (delete from device_counter_deltas)
  insert into device_counters (organisation_id, shelf, model_id, status, locked, equipped, devices)
  select scope.id, device_shelf(d.sid), d.model_id, d.shown_status, d.locked, device_equipment(d.bound, d.place_id, d.template_id), count(*)
    from devices d left join organisations m on m.id = d.merchant_id
   cross join lateral unnest(device_scopes(m.path)) scope (id)
   where d.removed_at is null group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6;
end $$;
select rebuild_device_counters();

-- Shelves that have become too long are put up anew.
create function keep_device_shelves() returns void language plpgsql as $$
begin
  if exists (select from device_counters where organisation_id = 1 group by shelf having sum(devices) > 5000) then
    perform rebuild_device_counters();
  end if;
end $$;

-- What an organisation has moves with it, from those above it before to those above it now. Whoever moves it keeps
-- counters from being folded; what is not folded yet follows the tree by itself.
create function move_device_counters() returns trigger language plpgsql as $$
begin
  insert into device_counters as c (organisation_id, shelf, model_id, status, locked, equipped, devices)
  select s.id, m.shelf, m.model_id, m.status, m.locked, m.equipped, s.sign * m.devices
    from device_counters m
   cross join (select id, sum(sign) as sign
                 from (select unnest(device_scopes(subpath(old.path, 0, -1))) as id, -1 as sign
                       union all
                       select unnest(device_scopes(subpath(new.path, 0, -1))), 1) changed
                group by id having sum(sign) <> 0) s
   where m.organisation_id = new.id
  on conflict (organisation_id, shelf, model_id, status, locked, equipped) do update set devices = c.devices + excluded.devices;
  return null;
end $$;
create trigger organisations_moved_with_devices after update of parent_id on organisations
  for each row when (old.parent_id <> new.parent_id) execute function move_device_counters();

-- 0 unbound, 1 bound, 2 bound but unable to sell.
create function device_association(bound boolean, place_id bigint, template_id bigint, merchant_id bigint, unpaid bigint[])
returns smallint immutable language sql as $$
  select case when not bound then 0 when place_id is not null and template_id is not null and merchant_id <> all(unpaid) then 1 else 2 end::smallint
$$;

-- A page of devices by id and the exact total of all that match; a null is no filter. `wanted_kind` is platform, agent,
-- merchant, or nobody for the devices that belong to none.
create function page_of_devices(
  wanted_kind text, wanted_organisation bigint, wanted_model bigint, wanted_sleep_mode boolean, wanted_status smallint,
  wanted_locked smallint, wanted_associated smallint, skip_rows bigint, take_rows bigint, out total bigint, out ids bigint[])
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  scope bigint := case wanted_kind when 'platform' then 1 when 'nobody' then 0 else wanted_organisation end;
  models bigint[];
  merchants bigint[];
  -- Merchants that no money can be taken for: what they have that lacks nothing else is counted as able to sell.
  unpaid bigint[] := '{}';
  -- By shelf, what the counters do not have yet.
  uncounted bigint[] := '{}';
  unit record;
  first_shelf integer;
  last_shelf integer;
  skip_in_shelf bigint;
  page_from text;
  page_before text;
begin
  if wanted_model is not null or wanted_sleep_mode is not null then
    models := array(select id from device_models
                     where (wanted_model is null or id = wanted_model) and (wanted_sleep_mode is null or sleep_mode = wanted_sleep_mode));
  end if;
  if wanted_kind = 'merchant' then
    merchants := array[wanted_organisation];
  elsif wanted_kind = 'agent' then
    merchants := array(select below.id from organisations above join organisations below on below.path >= above.path and below.path < above.path || 'z'
                        where above.id = wanted_organisation and below.kind = 'merchant');
  end if;
  if wanted_associated > 0 then
    unpaid := case when wanted_kind = 'merchant' then array(select wanted_organisation where not has_pay_channel(wanted_organisation))
                   when wanted_kind = 'nobody' then '{}'
                   else array(select m from merchants_without_pay_channel() m where merchants is null or m = any(merchants)) end;
  end if;
  if cardinality(unpaid) > 0 or exists (select from device_counter_deltas) then
    uncounted := array(
      select coalesce(sum(u.devices), 0)
        from device_shelves s left join (
          select device_shelf(c.sid) as shelf, c.devices from device_counter_deltas c
           where (models is null or c.model_id = any(models)) and (wanted_status is null or c.status = wanted_status)
             and (wanted_locked is null or c.locked = wanted_locked) and (wanted_associated is null or c.equipped = wanted_associated)
             and case wanted_kind when 'platform' then true when 'nobody' then c.merchant_id is null else c.merchant_id = any(merchants) end
          union all
          select device_shelf(d.sid), case wanted_associated when 1 then -1 else 1 end from devices d
           where d.merchant_id = any(unpaid) and d.removed_at is null and device_equipment(d.bound, d.place_id, d.template_id) = 1
             and (models is null or d.model_id = any(models)) and (wanted_status is null or d.shown_status = wanted_status)
             and (wanted_locked is null or d.locked = wanted_locked)) u on u.shelf = s.shelf
       group by s.shelf order by s.shelf);
  end if;
  total := 0; ids := '{}';
  for unit in
    select s.shelf, coalesce(counted.devices, 0) + coalesce(uncounted[s.shelf + 1], 0) as devices
      from device_shelves s cross join lateral (
        select sum(c.devices) as devices from device_counters c
         where c.organisation_id = scope and c.shelf = s.shelf and (models is null or c.model_id = any(models))
           and (wanted_status is null or c.status = wanted_status) and (wanted_locked is null or c.locked = wanted_locked)
           and (wanted_associated is null or c.equipped = wanted_associated)) counted
     order by s.shelf
  loop
    if total < skip_rows + take_rows and total + unit.devices > skip_rows then
      skip_in_shelf := coalesce(skip_in_shelf, skip_rows - total);
      first_shelf := coalesce(first_shelf, unit.shelf);
      last_shelf := unit.shelf;
    end if;
    total := total + unit.devices;
  end loop;
  if first_shelf is null then return; end if;
  -- No id begins with an X.
  page_from := (select first_sid from device_shelves where shelf = first_shelf);
  page_before := coalesce((select first_sid from device_shelves where shelf = last_shelf + 1), 'X');
  if wanted_kind = 'platform' then
    ids := array(
      select d.id from devices d
       where d.sid >= page_from and d.sid < page_before and d.removed_at is null
         and (models is null or d.model_id = any(models)) and (wanted_status is null or d.shown_status = wanted_status)
         and (wanted_locked is null or d.locked = wanted_locked)
         and (wanted_associated is null or wanted_associated = device_association(d.bound, d.place_id, d.template_id, d.merchant_id, unpaid))
       order by d.sid offset skip_in_shelf limit take_rows);
  elsif wanted_kind = 'nobody' then
    ids := array(
      select d.id from devices d
       where d.merchant_id is null and d.sid >= page_from and d.sid < page_before and d.removed_at is null
         and (models is null or d.model_id = any(models)) and (wanted_status is null or d.shown_status = wanted_status)
         and (wanted_locked is null or d.locked = wanted_locked)
         and (wanted_associated is null or wanted_associated = device_association(d.bound, d.place_id, d.template_id, d.merchant_id, unpaid))
       order by d.sid offset skip_in_shelf limit take_rows);
  else
    -- Each merchant's own, from the index of merchants; `offset 0` keeps the planner from comparing all with all.
    ids := array(
      select d.id from unnest(merchants) m (id) cross join lateral (
        select d.id, d.sid from devices d
         where d.merchant_id = m.id and d.sid >= page_from and d.sid < page_before and d.removed_at is null
           and (models is null or d.model_id = any(models)) and (wanted_status is null or d.shown_status = wanted_status)
           and (wanted_locked is null or d.locked = wanted_locked)
           and (wanted_associated is null or wanted_associated = device_association(d.bound, d.place_id, d.template_id, d.merchant_id, unpaid))
        offset 0) d
       order by d.sid offset skip_in_shelf limit take_rows);
  end if;
end $$;

-- The beginning of an id is looked for in one index as well, with all that can be filtered by.
drop index devices_sid_prefix;
create index devices_sid_prefix on devices (sid text_pattern_ops)
  include (id, merchant_id, model_id, shown_status, locked, bound, place_id, template_id, sleep_template_id, removed_at);
