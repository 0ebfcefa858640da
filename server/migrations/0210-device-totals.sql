-- The device list asks for nothing or for one thing mostly, and added up dozens of counters for it. What they come to by
-- each one thing is kept beside them, by shelf as they are; not for merchants, whose few counters are added up as quickly,
-- and whose totals would be most of what is written when many boards come or go.
create table device_totals (
  organisation_id bigint not null,     -- as in device_counters, without merchants
  facet           text not null check (facet in ('all', 'model', 'status', 'locked', 'equipped')),
  value           bigint not null,     -- of the facet; 0 of all
  shelf           integer not null,
  devices         integer not null,
  primary key (organisation_id, facet, value, shelf)
) with (fillfactor = 70);
create index device_totals_empty on device_totals (organisation_id) where devices = 0;

create function device_facets(model_id bigint, status smallint, locked smallint, equipped smallint)
returns table (facet text, value bigint) immutable rows 5 language sql as $$
  values ('all', 0), ('model', model_id), ('status', status), ('locked', locked), ('equipped', equipped)
$$;

insert into device_totals
select c.organisation_id, f.facet, f.value, c.shelf, sum(c.devices)
  from device_counters c left join organisations o on o.id = c.organisation_id
 cross join lateral device_facets(c.model_id, c.status, c.locked, c.equipped) f
 where o.kind is distinct from 'merchant'
 group by 1, 2, 3, 4 order by 1, 2, 3, 4;

-- Totals can't drift from the counters: whoever changes these, by folding, counting anew or moving an organisation,
-- changes the totals with them.
create function total_devices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into device_totals as t (organisation_id, facet, value, shelf, devices)
    select c.organisation_id, f.facet, f.value, c.shelf, sum(c.devices)
      from new_rows c left join organisations o on o.id = c.organisation_id
     cross join lateral device_facets(c.model_id, c.status, c.locked, c.equipped) f
     where o.kind is distinct from 'merchant'
     group by 1, 2, 3, 4 having sum(c.devices) <> 0
    on conflict (organisation_id, facet, value, shelf) do update set devices = t.devices + excluded.devices;
  elsif tg_op = 'DELETE' then
    insert into device_totals as t (organisation_id, facet, value, shelf, devices)
    select c.organisation_id, f.facet, f.value, c.shelf, -sum(c.devices)
      from old_rows c left join organisations o on o.id = c.organisation_id
     cross join lateral device_facets(c.model_id, c.status, c.locked, c.equipped) f
     where o.kind is distinct from 'merchant'
     group by 1, 2, 3, 4 having sum(c.devices) <> 0
    on conflict (organisation_id, facet, value, shelf) do update set devices = t.devices + excluded.devices;
  else
    insert into device_totals as t (organisation_id, facet, value, shelf, devices)
    select c.organisation_id, f.facet, f.value, c.shelf, sum(c.sign * c.devices)
      from (select *, -1 as sign from old_rows union all select *, 1 from new_rows) c
      left join organisations o on o.id = c.organisation_id
     cross join lateral device_facets(c.model_id, c.status, c.locked, c.equipped) f
     where o.kind is distinct from 'merchant'
     group by 1, 2, 3, 4 having sum(c.sign * c.devices) <> 0
    on conflict (organisation_id, facet, value, shelf) do update set devices = t.devices + excluded.devices;
  end if;
  delete from device_totals where devices = 0;
  return null;
end $$;
create trigger device_counters_inserted after insert on device_counters referencing new table as new_rows
  for each statement execute function total_devices();
create trigger device_counters_updated after update on device_counters referencing old table as old_rows new table as new_rows
  for each statement execute function total_devices();
create trigger device_counters_deleted after delete on device_counters referencing old table as old_rows
  for each statement execute function total_devices();

-- Pages are found by one statement, without a function that runs six.
drop function page_of_devices(text, bigint, bigint, boolean, smallint, smallint, smallint, bigint, bigint);
drop function device_association(boolean, bigint, bigint, bigint, bigint[]);
