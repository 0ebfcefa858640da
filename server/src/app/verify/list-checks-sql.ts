import { sql } from '../../kit/database.ts'
import type { Check } from './run-checks.ts'

/** Counters of devices as they will be once everything is folded. */
const keptDevices = sql`
  select organisation_id, shelf, model_id, status, locked, equipped, sum(devices) as devices
    from (
      select organisation_id, shelf, model_id, status, locked, equipped, devices from device_counters
      union all
      select scope.id, device_shelf(c.sid), c.model_id, c.status, c.locked, c.equipped, c.devices
        from device_counter_deltas c left join organisations m on m.id = c.merchant_id
       cross join lateral unnest(device_scopes(m.path)) scope (id)) c
   group by 1, 2, 3, 4, 5, 6
  having sum(devices) <> 0`

const countedDevices = sql`
  select scope.id as organisation_id, device_shelf(d.sid) as shelf, d.model_id, d.shown_status as status, d.locked,
         device_equipment(d.bound, d.place_id, d.template_id) as equipped, count(*) as devices
    from devices d left join organisations m on m.id = d.merchant_id
   cross join lateral unnest(device_scopes(m.path)) scope (id)
   where d.removed_at is null group by 1, 2, 3, 4, 5, 6`

/** Each in its place, also where one is missing. */
const wordsOf = (...columns: string[]) => sql`json_build_array(${sql.raw(columns.join(', '))})::text`

/**
 * Claims about what lists of devices and organisations read in place of the facts: counters and names that triggers keep.
 */
export const listChecks: readonly Check[] = [
  {
    claim: 'Counters of devices equal the devices',
    compared: sql`
      select concat_ws(' ', 'organisation', organisation_id, 'shelf', shelf, 'model', model_id, 'status', status, 'lock', locked, 'equipment', equipped) as subject,
             coalesce(f.devices, 0)::text as expected, coalesce(k.devices, 0)::text as found
        from (${countedDevices}) f
        full join (${keptDevices}) k using (organisation_id, shelf, model_id, status, locked, equipped)`,
  },
  {
    claim: 'Totals of devices equal their counters',
    compared: sql`
      select concat_ws(' ', 'organisation', organisation_id, facet, value, 'shelf', shelf) as subject,
             coalesce(c.devices, 0)::text as expected, coalesce(t.devices, 0)::text as found
        from (select c.organisation_id, f.facet, f.value, c.shelf, sum(c.devices) as devices
                from device_counters c left join organisations o on o.id = c.organisation_id
               cross join lateral device_facets(c.model_id, c.status, c.locked, c.equipped) f
               where o.kind is distinct from 'merchant' group by 1, 2, 3, 4) c
        full join device_totals t using (organisation_id, facet, value, shelf)`,
  },
  {
    claim: 'Agents and merchants have as many devices as they say',
    compared: sql`
      select concat_ws(' ', kind, id) as subject, coalesce(f.devices, 0)::text as expected, o.device_count::text as found
        from organisations o
        left join (select scope.id, count(*) as devices
                     from devices d join organisations m on m.id = d.merchant_id
                    cross join lateral unnest(device_scopes(m.path)) scope (id)
                    where d.removed_at is null group by 1) f using (id)
       where kind <> 'platform'`,
  },
  {
    claim: 'Devices name their place and templates',
    compared: sql`
      select d.sid as subject, ${wordsOf('p.address', 't.name', 's.name')} as expected,
             ${wordsOf('d.place_address', 'd.template_name', 'd.sleep_template_name')} as found
        from devices d left join places p on p.id = d.place_id
        left join goods_templates t on t.id = d.template_id left join goods_templates s on s.id = d.sleep_template_id`,
  },
  {
    claim: 'Organisations name their owner',
    compared: sql`
      select concat_ws(' ', o.kind, o.id) as subject, coalesce(a.user_name, '') as expected, o.owner_user_name as found
        from organisations o left join accounts a on a.organisation_id = o.id and a.is_owner`,
  },
  {
    claim: 'Letters that organisations are searched by are those of their names',
    compared: sql`
      select concat_ws(' ', kind, id, field, pair) as subject, case when f.pair is null then 'no' else 'yes' end as expected,
             case when k.pair is null then 'no' else 'yes' end as found
        from (select p.field, p.pair, o.kind, o.id
                from organisations o, lateral pairs_of_organisation(o.name, o.name_initials, o.owner_user_name) p
               where o.kind <> 'platform') f
        full join (select field, pair, kind, organisation_id as id from organisation_letter_pairs) k using (field, pair, kind, id)`,
  },
]
