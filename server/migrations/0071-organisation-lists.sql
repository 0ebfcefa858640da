-- What the list of agents and merchants shows of what stands below a row, without counting thousands of devices.

-- Devices of a merchant that are not removed; 0 for all others.
alter table organisations add column device_count integer not null default 0;
update organisations o set device_count = d.devices
  from (select merchant_id, count(*) as devices from devices where removed_at is null group by 1) d where d.merchant_id = o.id;

-- Counted by every statement that changes devices, whatever it was. Nobody waits in a circle: merchants are locked in the
-- order of their ids, and a move of organisations, which locks them in another, lets these be done first or waits.
create function keep_device_counts() returns trigger language plpgsql as $$
declare
  merchants bigint[];
  changes bigint[];
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
  perform 1 from organisations where id = any(merchants) order by id for no key update;
  update organisations o set device_count = o.device_count + c.change
    from unnest(merchants, changes) as c (merchant_id, change) where o.id = c.merchant_id;
  return null;
end $$;
create trigger devices_counted_in after insert on devices referencing new table as new_rows
  for each statement execute function keep_device_counts();
create trigger devices_counted_anew after update on devices referencing old table as old_rows new table as new_rows
  for each statement execute function keep_device_counts();
create trigger devices_counted_out after delete on devices referencing old table as old_rows
  for each statement execute function keep_device_counts();

-- All below an organisation stand next to each other in the order of paths: its path is their lower bound, and since
-- labels are numbers, its path with a letter as the next label is above them all. Read and summed from the index alone.
create index organisations_path_range on organisations (path) include (id, kind, device_count);

-- All agents and merchants, agents first, newest first.
create index organisations_kind on organisations (kind, id desc);
