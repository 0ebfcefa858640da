-- Monthly partitions, made ahead by the server and by generators of history. Bounds are UTC months.
create function ensure_month_partitions(parent regclass, first_day date, last_day date) returns void
language plpgsql as $$
declare
  month date := date_trunc('month', first_day)::date;
  partition text;
begin
  while month <= last_day loop
    partition := parent::text || '_' || to_char(month, 'YYYYMM');
    if to_regclass(partition) is null then
      execute format(
        'create table %I partition of %s for values from (%L) to (%L)',
        partition, parent, month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
    end if;
    month := (month + interval '1 month')::date;
  end loop;
end $$;
