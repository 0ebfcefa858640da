-- A month that is made as part of its table keeps everybody from all months of it meanwhile, and waits first for whoever
-- reads them, with all others behind it: an export that goes on for minutes held up every order. A table of its own that
-- is attached when it is whole disturbs neither readers nor writers.
create or replace function ensure_month_partitions(parent regclass, first_day date, last_day date) returns void
language plpgsql as $$
declare
  month date := date_trunc('month', first_day)::date;
  partition text;
begin
  while month <= last_day loop
    partition := parent::text || '_' || to_char(month, 'YYYYMM');
    if to_regclass(partition) is null then
      -- Conflicts with itself alone; a lock of a table also makes what others did visible.
      execute format('lock table %s in share update exclusive mode', parent);
      if to_regclass(partition) is null then
        -- Indexes, triggers and numbering come with the attaching.
        execute format('create table %I (like %s including defaults including generated including constraints)', partition, parent);
        execute format(
          'alter table %s attach partition %I for values from (%L) to (%L)',
          parent, partition, month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
      end if;
    end if;
    month := (month + interval '1 month')::date;
  end loop;
end $$;
