-- Many organisations at once are counted for each that stands above them, found once: as a subquery they were looked
-- through anew for each organisation there is.
create or replace function count_new_organisations() returns trigger language plpgsql as $$
declare
  above bigint[];
begin
  select array_agg(distinct a.id) into above
    from new_rows cross join lateral unnest(string_to_array(subpath(path, 0, -1)::text, '.')::bigint[]) as a (id)
   where nlevel(path) > 1;
  if above is null then return null; end if;
  perform 1 from organisations where id = any(above) order by id for no key update;
  update organisations o set agents_below = o.agents_below + n.agents, merchants_below = o.merchants_below + n.merchants
    from (select a.id, count(*) filter (where kind = 'agent') as agents, count(*) filter (where kind = 'merchant') as merchants
            from new_rows cross join lateral unnest(string_to_array(subpath(path, 0, -1)::text, '.')::bigint[]) as a (id)
           where nlevel(path) > 1 group by 1) n
   where n.id = o.id and o.id = any(above);
  return null;
end $$;
