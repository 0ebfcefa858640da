-- Several servers may start at once: one makes a partition that is missing, the others wait and find it.
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
        execute format(
          'create table %I partition of %s for values from (%L) to (%L)',
          partition, parent, month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
      end if;
    end if;
    month := (month + interval '1 month')::date;
  end loop;
end $$;
