import { sql, type RawBuilder } from '../kit/database.ts'
import type { Scope } from '../kit/scope.ts'

/** What a list of devices is narrowed by; the scope holds beside it. */
export interface DeviceFilter {
  deviceId: string | undefined
  modelId: number | undefined
  status: number | undefined
  /** A lock, or whichever. */
  locked: number | 'any' | undefined
  associated: 0 | 1 | 2 | undefined
  sleepMode: boolean | undefined
  placeId: number | undefined
  templateId: number | undefined
  /** Only devices that belong to nobody. */
  unassigned: boolean
}

/** Whether all devices of a scope are one merchant's. */
export const isOfOneMerchant = (scope: Scope): scope is Extract<Scope, { merchantId: number }> =>
  scope.kind === 'merchant' || scope.kind === 'places'

/** Whether money can be taken for a device's merchant; looked up once, however many devices there are. */
export const takesMoneyWithin = (scope: Scope) =>
  isOfOneMerchant(scope)
    ? sql`exists (select from pay_channels_for(${scope.merchantId}))`
    : sql`(d.merchant_id not in (select merchants_without_pay_channel()))`

const canSell = (scope: Scope) =>
  sql`(d.place_id is not null and d.template_id is not null and ${takesMoneyWithin(scope)})`

/**
 * A value that the planner does not look at. It would think a plan for the very first page cheaper than one for any page,
 * and plan each time anew, which takes longer than to find the page.
 */
export const unseen = (value: number | string, type: 'bigint' | 'smallint' | 'text') =>
  sql`(select ${value}::${sql.raw(type)})`

/** Above every device id that begins with a text: ids have capitals and digits only, and `[` is above these. */
const aboveAll = (beginning: string) => `${beginning}[`

/** Filters that leave few devices, however many there are. */
function keyConditions({ deviceId, placeId, templateId }: DeviceFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  // Ids stand in the order of their bytes; a pattern would be planned without an index.
  if (deviceId !== undefined)
    conditions.push(
      sql`d.sid >= ${unseen(deviceId, 'text')} and d.sid < ${unseen(aboveAll(deviceId), 'text')}`,
    )
  if (placeId !== undefined) conditions.push(sql`d.place_id = ${unseen(placeId, 'bigint')}`)
  if (templateId !== undefined) {
    const template = unseen(templateId, 'bigint')
    conditions.push(sql`(d.template_id = ${template} or d.sleep_template_id = ${template})`)
  }
  return conditions
}

/** Whether a filter goes straight to few devices by an index, so that no counter has to be asked for the total. */
export const findsFew = (filter: DeviceFilter) => keyConditions(filter).length > 0

/** The filters that are set, for `devices d`; all that they look at stands in the indexes of the list. */
export function filterConditions(scope: Scope, filter: DeviceFilter): RawBuilder<unknown>[] {
  const conditions = keyConditions(filter)
  if (filter.unassigned) conditions.push(sql`d.merchant_id is null`)
  if (filter.modelId !== undefined) conditions.push(sql`d.model_id = ${unseen(filter.modelId, 'bigint')}`)
  if (filter.status !== undefined) conditions.push(sql`d.shown_status = ${unseen(filter.status, 'smallint')}`)
  if (filter.locked === 'any') conditions.push(sql`d.locked > 0`)
  else if (filter.locked !== undefined) conditions.push(sql`d.locked = ${unseen(filter.locked, 'smallint')}`)
  if (filter.sleepMode !== undefined)
    conditions.push(sql`d.model_id in (select id from device_models where sleep_mode = ${filter.sleepMode})`)
  if (filter.associated === 0) conditions.push(sql`not d.bound`)
  if (filter.associated === 1) conditions.push(sql`d.bound and ${canSell(scope)}`)
  if (filter.associated === 2) conditions.push(sql`d.bound and not ${canSell(scope)}`)
  return conditions
}
