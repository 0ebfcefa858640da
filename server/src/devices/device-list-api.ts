import {
  deviceLocks,
  isMerchantMode,
  listDevices,
  listDeviceStatus,
  userTypes,
  type DataOf,
  type ParsedInputOf,
  type UserType,
} from '@chairside/contract'
import { handleList, type Call, type CallContext } from '../kit/call.ts'
import type { Scope } from '../kit/scope.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { narrowScope, readNarrowed } from '../organisations/narrow-scope.ts'
import type { DeviceFilter } from './device-filter-sql.ts'
import { findDevices, streamDevices } from './device-list-sql.ts'
import type { RowReader } from './device-row-sql.ts'
import {
  findDeviceStatus,
  streamDeviceStatus,
  type StatusFilter,
  type StatusRecord,
} from './device-status-sql.ts'

type ListContext = CallContext<typeof listDevices>
type StatusContext = CallContext<typeof listDeviceStatus>

const numberOr = (text: string | undefined) => (text === undefined ? undefined : Number(text))

/** Fields of the device list that say which devices are meant. */
export type DeviceFilterInput = Omit<ParsedInputOf<typeof listDevices>, 'pagesize' | 'pagenum'>

/** Outside admin 'disabled' are all that are locked (spec 2 §4). */
function lockOf(locked: string | undefined, type: UserType): DeviceFilter['locked'] {
  const isAny = type !== userTypes.admin && locked === String(deviceLocks.disabled)
  return isAny ? 'any' : numberOr(locked)
}

/** What a list of devices is asked for, by its own fields; whose devices is a matter of the scope. */
export function deviceFilterOf({ input, caller }: Pick<ScopeContext, 'input' | 'caller'>): DeviceFilter {
  return {
    deviceId: input.deviceid?.toUpperCase(),
    modelId: input.modelid,
    status: numberOr(input.status),
    locked: lockOf(input.locked, caller().type),
    associated: numberOr(input.associated) as DeviceFilter['associated'],
    sleepMode: input.sleepmode,
    placeId: input.placeid,
    templateId: input.templateid,
    unassigned: input.merchantid === '0',
  }
}

type ScopeContext = Pick<ListContext, 'db' | 'scope' | 'caller'> & { input: DeviceFilterInput }

/** The organisations wanted, or the devices of nobody. */
const wantedOf = ({ merchantid, agentId }: DeviceFilterInput) =>
  merchantid === '0' ? 'nobody' : { merchantid, agentid: agentId }

/** Devices of nobody are for admins to see; others find none of them in their scope. */
const seesNobodys = ({ caller }: ScopeContext) => caller().type === userTypes.admin

/** Whose devices a list is of; undefined when nothing of that is the caller's to see. */
export async function deviceScopeOf(context: ScopeContext): Promise<Scope | undefined> {
  const wanted = wantedOf(context.input)
  if (wanted === 'nobody') return seesNobodys(context) ? context.scope : undefined
  return narrowScope(context.db, context.scope, wanted)
}

/** Reads within the scope that is wanted; undefined when nothing of it is the caller's to see. */
async function readWanted<Found>(
  context: ScopeContext,
  read: (scope: Scope) => Promise<Found>,
): Promise<Found | undefined> {
  const wanted = wantedOf(context.input)
  if (wanted === 'nobody') return seesNobodys(context) ? read(context.scope) : undefined
  return readNarrowed(context.db, context.scope, wanted, read)
}

const statusRowOf = (record: StatusRecord): DataOf<typeof listDeviceStatus>['list'][number] => ({
  ...record,
  reportTime: record.reportTime.toISOString(),
})

/** Callers that are not in merchant mode have to say whose history they want (spec 2 §2). */
function statusFilterOf({ input, caller, refuseField }: StatusContext): StatusFilter {
  if (!isMerchantMode(caller().type) && input.deviceid === undefined && input.merchantid === undefined) {
    refuseField('merchantid', 'validation.required')
  }
  if (input.startdate && input.enddate && input.startdate > input.enddate)
    refuseField('startdate', 'validation.startAfterEnd')
  return { deviceId: input.deviceid?.toUpperCase(), startDate: input.startdate, endDate: input.enddate }
}

/**
 * A board's password is shown to who may change it (decisions §1). One that was sealed with a key we do not hold is not
 * shown, and keeps nobody from the list.
 */
function wifiFor({ caller, log }: ListContext, secrets: SecretBox) {
  if (!caller().permissions.has('device.wifi')) return undefined
  return (sealed: Buffer) => {
    try {
      return secrets.open(sealed)
    } catch (error) {
      log.warn({ err: error }, 'a WiFi password cannot be opened')
      return ''
    }
  }
}

const readerOf = (context: ListContext, secrets: SecretBox): RowReader => ({
  openWifi: wifiFor(context, secrets),
  seesAgents: !isMerchantMode(context.caller().type),
})

/** The device list and the online history (spec 2 §7). */
export function createDeviceListCalls(timeZone: string, secrets: SecretBox): Call[] {
  return [
    handleList(listDevices, {
      page: async (context) => {
        const { pagesize: take, pagenum } = context.input
        const page = { skip: (pagenum - 1) * take, take }
        const filter = deviceFilterOf(context)
        const reader = readerOf(context, secrets)
        const found = await readWanted(context, (scope) =>
          findDevices(context.db, scope, filter, page, reader),
        )
        return found ?? { list: [], total: 0 }
      },
      rows: async function* (context: ListContext) {
        const scope = await deviceScopeOf(context)
        if (scope)
          yield* streamDevices(context.db, scope, deviceFilterOf(context), readerOf(context, secrets))
      },
    }),
    handleList(listDeviceStatus, {
      page: async (context) => {
        const filter = statusFilterOf(context)
        const scope = await narrowScope(context.db, context.scope, context.input)
        if (!scope) return { list: [], total: 0 }
        const { pagesize: take, pagenum } = context.input
        const { list, total } = await findDeviceStatus(context.db, scope, filter, {
          skip: (pagenum - 1) * take,
          take,
          timeZone,
        })
        return { list: list.map(statusRowOf), total }
      },
      rows: async function* (context: StatusContext) {
        const filter = statusFilterOf(context)
        const scope = await narrowScope(context.db, context.scope, context.input)
        if (!scope) return
        for await (const records of streamDeviceStatus(context.db, scope, filter, timeZone))
          yield records.map(statusRowOf)
      },
    }),
  ]
}
