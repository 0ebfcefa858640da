-- Device ids stand in the order of their bytes, in whatever collation the database is: so one index serves their order and
-- their beginnings, a merchant's too, which was looked through entry by entry for the beginning of an id.
drop view watched_devices;
alter table devices alter column sid type text collate "C";
alter table device_shelves alter column first_sid type text collate "C";
alter table device_counter_deltas alter column sid type text collate "C";
drop index devices_sid_prefix;
create view watched_devices as
  select d.id, d.merchant_id, d.place_id, d.sid, d.template_id, d.bound_at
    from devices d
   where d.merchant_id is not null and d.bound and d.locked = 0 and d.removed_at is null
     and d.merchant_id not in (select o.id from organisations o where o.status = 2)
     and not exists (select from device_mutes m where m.device_id = d.id and m.muted_until > now());

-- What lists name of a device stands in its row: three looked-up names a row were a fifth of the database's work for a page.
alter table devices
  add column template_name text,
  add column sleep_template_name text,
  add column place_address text;
-- Rows are changed more often than before; room beside them lets them stay where they are.
alter table devices set (fillfactor = 85);
update devices d set
  template_name = (select t.name from goods_templates t where t.id = d.template_id),
  sleep_template_name = (select t.name from goods_templates t where t.id = d.sleep_template_id),
  place_address = (select p.address from places p where p.id = d.place_id)
 where d.template_id is not null or d.sleep_template_id is not null or d.place_id is not null;

-- Locked for share, what is named keeps its name until the device has it: whoever renames it waits, and then finds the device.
-- What stays as it was is not locked: who renames that may be waiting for the device already.
create function name_what_devices_have() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.template_id is distinct from old.template_id then
    select name into new.template_name from goods_templates where id = new.template_id for share;
  end if;
  if tg_op = 'INSERT' or new.sleep_template_id is distinct from old.sleep_template_id then
    select name into new.sleep_template_name from goods_templates where id = new.sleep_template_id for share;
  end if;
  if tg_op = 'INSERT' or new.place_id is distinct from old.place_id then
    select address into new.place_address from places where id = new.place_id for share;
  end if;
  return new;
end $$;
create trigger devices_made_name_what_they_have before insert on devices
  for each row when (coalesce(new.template_id, new.sleep_template_id, new.place_id) is not null)
  execute function name_what_devices_have();
create trigger devices_name_what_they_have before update of template_id, sleep_template_id, place_id on devices
  for each row when ((old.template_id, old.sleep_template_id, old.place_id) is distinct from (new.template_id, new.sleep_template_id, new.place_id))
  execute function name_what_devices_have();

-- Devices are locked in the order of their ids, as everybody does.
create function rename_what_devices_sell() returns trigger language plpgsql as $$
begin
  perform 1 from devices where template_id = new.id or sleep_template_id = new.id order by id for no key update;
  update devices set template_name = new.name where template_id = new.id;
  update devices set sleep_template_name = new.name where sleep_template_id = new.id;
  return null;
end $$;
create trigger goods_templates_named_on_devices after update of name on goods_templates
  for each row when (old.name <> new.name) execute function rename_what_devices_sell();

create function rename_where_devices_stand() returns trigger language plpgsql as $$
begin
  perform 1 from devices where place_id = new.id order by id for no key update;
  update devices set place_address = new.address where place_id = new.id;
  return null;
end $$;
create trigger places_named_on_devices after update of address on places
  for each row when (old.address <> new.address) execute function rename_where_devices_stand();

-- Who sells from a template is counted in its index alone.
drop index devices_template;
create index devices_template on devices (template_id, merchant_id, removed_at);
drop index devices_sleep_template;
create index devices_sleep_template on devices (sleep_template_id, merchant_id, removed_at) include (template_id);

-- The devices of a place stand in the order of lists.
drop index devices_place;
create index devices_place on devices (place_id, merchant_id, sid) include (id, removed_at);
