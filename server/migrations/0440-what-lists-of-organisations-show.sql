-- What lists show of an organisation and find it by stands in its own row: looked up row by row, the user name of its
-- owner and the devices below it took half of the time of a page.

alter table organisations add column owner_user_name text not null default '';
-- Rows are changed more often than before; room beside them lets them stay where they are.
alter table organisations set (fillfactor = 80);
update organisations o set owner_user_name = a.user_name from accounts a where a.organisation_id = o.id and a.is_owner;

create function keep_owner_user_name() returns trigger language plpgsql as $$
begin
  update organisations set owner_user_name = new.user_name
   where id = new.organisation_id and owner_user_name <> new.user_name;
  return null;
end $$;
create trigger accounts_name_their_organisation after update of user_name, is_owner, organisation_id on accounts
  for each row when (new.is_owner) execute function keep_owner_user_name();

create function keep_owner_user_names() returns trigger language plpgsql as $$
begin
  update organisations o set owner_user_name = a.user_name
    from new_rows a where a.organisation_id = o.id and a.is_owner and o.owner_user_name <> a.user_name;
  return null;
end $$;
create trigger accounts_name_new_organisations after insert on accounts referencing new table as new_rows
  for each statement execute function keep_owner_user_names();

create index organisations_owner_user_name on organisations using gin (letter_pairs(lower(owner_user_name))) with (fastupdate = off);
drop index accounts_user_name_search;

-- Devices are counted for the agents above their merchant too, but not for the platform, on which all who add or remove a
-- device would wait for each other. The count leaves the index of paths, so that a change of it is a change of one row.
drop index organisations_path_range;
create index organisations_path_range on organisations (path) include (id, kind);
update organisations o set device_count = b.devices
  from (select above.id, sum(below.device_count) as devices
          from organisations above join organisations below on below.path >= above.path and below.path < above.path || 'z'
         where above.kind = 'agent' and below.kind = 'merchant' group by 1) b
 where b.id = o.id;

-- As before: nobody waits in a circle, since organisations are locked in the order of their ids, and a move, which locks
-- them in another, lets these be done first or waits. Who stands above is read when no move can be under way.
create or replace function keep_device_counts() returns trigger language plpgsql as $$
declare
  merchants bigint[];
  changes bigint[];
  counted bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(merchant_id), array_agg(change) into merchants, changes
      from (select merchant_id, count(*) as change from new_rows where merchant_id is not null and removed_at is null group by 1) c;
  elsif tg_op = 'DELETE' then
    select array_agg(merchant_id), array_agg(change) into merchants, changes
      from (select merchant_id, -count(*) as change from old_rows where merchant_id is not null and removed_at is null group by 1) c;
  else
    select array_agg(merchant_id), array_agg(change) into merchants, changes
      from (select merchant_id, sum(sign) as change
              from (select merchant_id, -1 as sign from old_rows where merchant_id is not null and removed_at is null
                    union all
                    select merchant_id, 1 from new_rows where merchant_id is not null and removed_at is null) moved
             group by 1 having sum(sign) <> 0) c;
  end if;
  if merchants is null then return null; end if;
  perform pg_advisory_xact_lock_shared(7205163);
  select array_agg(id), array_agg(change) into counted, changes
    from (select above.id, sum(c.change) as change
            from unnest(merchants, changes) as c (merchant_id, change) join organisations m on m.id = c.merchant_id
           cross join lateral unnest(string_to_array(m.path::text, '.')::bigint[]) as above (id)
           where above.id <> 1 group by 1 having sum(c.change) <> 0) c;
  perform 1 from organisations where id = any(counted) order by id for no key update;
  update organisations o set device_count = o.device_count + c.change
    from unnest(counted, changes) as c (id, change) where o.id = c.id;
  return null;
end $$;

-- What is moved takes its devices from the agents it leaves to those it comes to.
create function move_device_count() returns trigger language plpgsql as $$
begin
  update organisations o set device_count = o.device_count + s.sign * new.device_count
    from (select id, sum(sign) as sign
            from (select unnest(string_to_array(subpath(old.path, 0, -1)::text, '.')::bigint[]) as id, -1 as sign
                  union all
                  select unnest(string_to_array(subpath(new.path, 0, -1)::text, '.')::bigint[]), 1) changed
           group by id having sum(sign) <> 0) s
   where o.id = s.id and o.id <> 1;
  return null;
end $$;
create trigger organisations_moved_with_device_count after update of parent_id on organisations
  for each row when (old.parent_id <> new.parent_id and new.device_count <> 0) execute function move_device_count();
