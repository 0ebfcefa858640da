-- How many devices there are of each kind that can be filtered by, for the totals of the platform's own list. Kept by
-- every statement that changes devices, in one of a few slots by connection, so that hardly anybody waits for another;
-- a total is the sum of the slots.
create table device_facets (
  slot     smallint not null,
  model_id bigint not null,
  status   smallint not null,
  locked   smallint not null,
  equipped smallint not null,   -- 0 unbound, 1 bound with place and template, 2 bound without one of them
  owned    boolean not null,    -- belongs to a merchant
  devices  bigint not null,
  primary key (slot, model_id, status, locked, equipped, owned)
) with (fillfactor = 50);

create function device_equipment(bound boolean, place_id bigint, template_id bigint) returns smallint immutable language sql as $$
  select case when not bound then 0 when place_id is not null and template_id is not null then 1 else 2 end::smallint
$$;

create function keep_device_facets() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into device_facets as f
    select pg_backend_pid() % 8, model_id, shown_status, locked, device_equipment(bound, place_id, template_id), merchant_id is not null, count(*)
      from new_rows where removed_at is null group by 2, 3, 4, 5, 6 order by 2, 3, 4, 5, 6
    on conflict (slot, model_id, status, locked, equipped, owned) do update set devices = f.devices + excluded.devices;
  elsif tg_op = 'DELETE' then
    insert into device_facets as f
    select pg_backend_pid() % 8, model_id, shown_status, locked, device_equipment(bound, place_id, template_id), merchant_id is not null, -count(*)
      from old_rows where removed_at is null group by 2, 3, 4, 5, 6 order by 2, 3, 4, 5, 6
    on conflict (slot, model_id, status, locked, equipped, owned) do update set devices = f.devices + excluded.devices;
  else
    insert into device_facets as f
    select pg_backend_pid() % 8, model_id, shown_status, locked, device_equipment(bound, place_id, template_id), merchant_id is not null, sum(sign)
      from (select *, -1 as sign from old_rows where removed_at is null
            union all
            select *, 1 from new_rows where removed_at is null) changed
     group by 2, 3, 4, 5, 6 having sum(sign) <> 0 order by 2, 3, 4, 5, 6
    on conflict (slot, model_id, status, locked, equipped, owned) do update set devices = f.devices + excluded.devices;
  end if;
  return null;
end $$;
create trigger devices_faceted_in after insert on devices referencing new table as new_rows
  for each statement execute function keep_device_facets();
create trigger devices_faceted_anew after update on devices referencing old table as old_rows new table as new_rows
  for each statement execute function keep_device_facets();
create trigger devices_faceted_out after delete on devices referencing old table as old_rows
  for each statement execute function keep_device_facets();

insert into device_facets
select 0, model_id, shown_status, locked, device_equipment(bound, place_id, template_id), merchant_id is not null, count(*)
  from devices where removed_at is null group by 2, 3, 4, 5, 6;
