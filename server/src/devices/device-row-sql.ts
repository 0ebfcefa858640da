import type { DeviceRow } from '@chairside/contract'
import { sql, type RawBuilder } from '../kit/database.ts'
import type { Scope } from '../kit/scope.ts'
import { isOfOneMerchant, takesMoneyWithin } from './device-filter-sql.ts'

/** A device as it is read for its row. */
export type DeviceRecord = Omit<
  DeviceRow,
  | 'associated'
  | 'associatedTime'
  | 'blocked'
  | 'cannotSell'
  | 'createTime'
  | 'lastSeenTime'
  | 'qrcodeurl'
  | 'singalimg'
  | 'typeName'
  | 'wifiPass'
> & {
  bound: boolean
  /** Whether money can be taken for its merchant; null where it has none. */
  takesMoney: boolean | null
  /** Whether its merchant is locked; null where it has none. */
  blocked: boolean | null
  associatedTime: Date | null
  createTime: Date
  lastSeenTime: Date | null
  wifiSealed: Buffer | null
}

/** What whoever reads a row may see of it. */
export interface RowReader {
  /** Opens a sealed WiFi password; absent for who may not see it. */
  openWifi: ((sealed: Buffer) => string) | undefined
  /** The agents that merchants belong to; a merchant's own people do not see who stands above. */
  seesAgents: boolean
}

const merchantColumns = sql`
  m.id as "merchantId", m.name as "merchantName", m.owner_user_name as "merchantUserId", m.status = 2 as blocked`

/** Merchants `m` with the agents they belong to. */
const owners = sql`
  select ${merchantColumns}, a.id as "agentId", a.name as "agentName", a.owner_user_name as "agentUserId"
    from organisations m left join organisations a on a.id = m.parent_id and a.kind = 'agent'`

const withoutAgents = sql`
  select ${merchantColumns}, null::bigint as "agentId", null as "agentName", null as "agentUserId" from organisations m`

const columns = (scope: Scope) => sql`
  d.id, d.sid as "deviceId", mo.model, mo.id as "modelId", coalesce(nullif(mo.name, ''), mo.model) as "modelName", d.name, d.type_id as "typeId",
  d.firmware as "fmVersion", mo.sleep_mode as "sleepMode", mo.controllable, d.template_id as "templateId",
  d.template_name as "templateName",
  d.sleep_template_name as "sleepTemplateName", d.place_id as "placeId",
  d.place_address as "placeAddress", s.status, s.signal as signals, d.bound,
  ${takesMoneyWithin(scope)} as "takesMoney", d.bound_at as "associatedTime", d.created_at as "createTime", d.locked,
  d.wifi_ssid as "wifiSsid", d.wifi_password as "wifiSealed", d.tag, s.last_seen_at as "lastSeenTime",
  s.running_command_id <> '' and coalesce(s.running_until > now(), false) as running`

const details = sql`
  join device_states s on s.device_id = d.id
  join device_models mo on mo.id = d.model_id`

/** The records of `devices d`, as a select without its conditions; one merchant, being that of all rows, is looked up once. */
export const selectRecords = (
  devices: RawBuilder<unknown>,
  scope: Scope,
  { seesAgents }: Pick<RowReader, 'seesAgents'>,
) =>
  isOfOneMerchant(scope)
    ? sql`
      with owned as materialized (${seesAgents ? owners : withoutAgents} where m.id = ${scope.merchantId})
      select ${columns(scope)}, owned.* from owned cross join ${devices} ${details}`
    : sql`
      select ${columns(scope)}, owned.* from ${devices} ${details} left join (${owners}) owned on owned."merchantId" = d.merchant_id`

/** What a bound device lacks to sell (decisions §3); worked out here, since making lists takes the database longer. */
function lacksOf({ bound, placeId, templateId, merchantId, takesMoney }: DeviceRecord) {
  const lacks: DeviceRow['cannotSell'] = []
  if (!bound) return lacks
  if (placeId === null) lacks.push('noPlace')
  if (templateId === null) lacks.push('noTemplate')
  if (merchantId !== null && !takesMoney) lacks.push('noPayChannel')
  return lacks
}

/** The row as it is answered; named field by field, since copying what is left of a record takes several times as long. */
export function deviceRowOf(found: DeviceRecord, { openWifi }: Pick<RowReader, 'openWifi'>): DeviceRow {
  const cannotSell = lacksOf(found)
  return {
    id: found.id,
    deviceId: found.deviceId,
    model: found.model,
    modelId: found.modelId,
    modelName: found.modelName,
    name: found.name,
    typeId: found.typeId,
    typeName: found.typeId === '1' ? 'massage' : '',
    fmVersion: found.fmVersion,
    sleepMode: found.sleepMode,
    controllable: found.controllable,
    agentId: found.agentId,
    agentName: found.agentName,
    agentUserId: found.agentUserId,
    merchantId: found.merchantId,
    merchantName: found.merchantName,
    merchantUserId: found.merchantUserId,
    templateId: found.templateId,
    templateName: found.templateName,
    sleepTemplateName: found.sleepTemplateName,
    placeId: found.placeId,
    placeAddress: found.placeAddress,
    status: found.status,
    signals: found.signals,
    associated: found.bound ? (cannotSell.length === 0 ? 1 : 2) : 0,
    associatedTime: found.associatedTime?.toISOString() ?? null,
    cannotSell,
    createTime: found.createTime.toISOString(),
    locked: found.locked,
    blocked: found.blocked ?? false,
    qrcodeurl: `/d/${found.deviceId}`,
    singalimg: '',
    wifiSsid: found.wifiSsid,
    wifiPass: found.wifiSealed && openWifi ? openWifi(found.wifiSealed) : '',
    tag: found.tag,
    lastSeenTime: found.lastSeenTime?.toISOString() ?? null,
    running: found.running,
  }
}
