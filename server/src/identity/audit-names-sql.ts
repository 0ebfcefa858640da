import { sql, type RawBuilder } from '../kit/database.ts'
import { pathOf, type Scope } from '../kit/scope.ts'

/** Names of what an entry's changes refer to by number, by `field:id`; what the reader may not see has none. */
export type AuditNames = Readonly<Record<string, string>>

const fields = {
  organisations: ['merchantId', 'parentId'],
  places: ['placeId'],
  templates: ['templateId', 'sleepTemplateId'],
  goods: ['goodsId'],
  models: ['modelId'],
  accounts: ['subAccounts'],
} as const

/** Fields of changes that hold a number; what no longer has a name is still described by its field. */
export const fieldsOfNumbers: ReadonlySet<string> = new Set(Object.values(fields).flat())

/** Actions whose changes hold numbers. */
const tellNumbers = sql`(t.action like 'device.%' or t.action in ('place.bind', 'order.place', 'users.addagent', 'users.addmerchant'))`

/**
 * Whether what belongs to a merchant may be named to a reader. It is asked of one row at a time, by its key: as a list
 * of everything below an agent it would be searched for each entry.
 */
function isNamedTo(scope: Scope, merchantId: RawBuilder<unknown>) {
  switch (scope.kind) {
    case 'platform':
      return sql`true`
    case 'agent':
      return sql`coalesce((select m.path <@ ${pathOf(scope.organisationId)} from organisations m where m.id = ${merchantId}), false)`
    case 'merchant':
    case 'places':
      return sql`${merchantId} = ${scope.merchantId}`
  }
}

/** The numbers in what was before and after, each once; of many devices there are lists. */
const told = sql`
  select distinct part.key as field, (number #>> '{}')::bigint as id
    from jsonb_path_query(t.details, 'lax $.*[*] ? (@.type() == "object")') changed
    cross join lateral jsonb_each(changed) part
    cross join lateral jsonb_path_query(part.value, 'lax $[*] ? (@.type() == "number")') number`

const named = (fields: readonly string[], table: string, name: string, isNamed: RawBuilder<unknown>) => sql`
  select told.field || ':' || told.id as key, x.${sql.ref(name)} as name
    from told join ${sql.table(table)} x on x.id = told.id
   where told.field in (${sql.join(fields.map((field) => sql.lit(field)))}) and ${isNamed}`

/**
 * The names of an entry's numbers as they are today, for queries over `audit_trail t`. Merchants, places, templates and
 * goods keep theirs after they were removed.
 */
export function namesOfNumbers(scope: Scope): RawBuilder<AuditNames> {
  const ofMerchant = isNamedTo(scope, sql`x.merchant_id`)
  const names = [
    named(fields.organisations, 'organisations', 'name', isNamedTo(scope, sql`x.id`)),
    named(fields.places, 'places', 'address', ofMerchant),
    named(fields.templates, 'goods_templates', 'name', ofMerchant),
    named(fields.goods, 'goods', 'name', ofMerchant),
    named(fields.models, 'device_models', 'model', sql`true`),
    named(fields.accounts, 'accounts', 'user_name', isNamedTo(scope, sql`x.organisation_id`)),
  ]
  return sql<AuditNames>`
    case when ${tellNumbers} then
      (with told as materialized (${told})
       select coalesce(jsonb_object_agg(key, name), '{}') from (${sql.join(names, sql` union all `)}) named) else '{}' end`
}
