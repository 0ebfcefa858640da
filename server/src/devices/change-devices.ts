import type { DeviceRefusal, DevicesChanged } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import type { CallContext } from '../kit/call.ts'
import type { Principal } from '../kit/principal.ts'
import { writeDeviceLog, type DeviceLogLine } from './device-log.ts'
import { findDevicesToChange, missingOf, type DeviceToChange } from './devices-to-change-sql.ts'

/** Of the calls that change one or many devices alike. */
type Context = Pick<CallContext, 'db' | 'scope' | 'language' | 'caller' | 'audit'> & {
  input: { id?: number | undefined; deviceIds?: (number | string)[] | undefined }
  refuse(refusal: DeviceRefusal | 'noDeviceChosen'): never
}

export interface DeviceChange {
  /** Why a device stays as it is; undefined when it may be changed. */
  judge(device: DeviceToChange, caller: Principal): DeviceRefusal | undefined
  /** Whether nothing is to be done for a device, because it is as wished. */
  isAsWished?(device: DeviceToChange): boolean
  /** Changes all of them at once. */
  apply(devices: readonly DeviceToChange[]): Promise<void>
  /** What is kept of a device in the audit trail, before and after. */
  before(device: DeviceToChange): Record<string, unknown>
  after(device: DeviceToChange): Record<string, unknown>
  log(device: DeviceToChange): readonly Omit<DeviceLogLine, 'deviceId'>[]
}

/** Device ids told in the trail by name; of more, the first of them. */
const mostNamed = 20

function namesOf(devices: readonly DeviceToChange[]): string {
  const names = devices.slice(0, mostNamed).map(({ sid }) => sid)
  return devices.length > mostNamed ? `${names.join(', ')} … (${devices.length})` : names.join(', ')
}

/**
 * Changes devices, each judged by itself: what cannot be done for one is reported with the reason and holds no other back.
 * One that was asked for alone is refused; so is a call of which nothing is the caller's.
 */
export async function changeDevices(context: Context, change: DeviceChange): Promise<DevicesChanged> {
  const { db, scope, input, language, caller, refuse, audit } = context
  const named = [...new Set([...(input.id === undefined ? [] : [input.id]), ...(input.deviceIds ?? [])])]
  if (named.length === 0) return refuse('noDeviceChosen')
  const found = await findDevicesToChange(db, scope, named)
  audit({ target: namesOf(found) || named.slice(0, mostNamed).join(', ') })
  if (found.length === 0) return refuse('notFound')

  const operator = caller()
  const judged = found.map((device) => ({ device, refusal: change.judge(device, operator) }))
  const isAlone = input.id !== undefined && named.length === 1
  const firstRefusal = judged.find(({ refusal }) => refusal !== undefined)?.refusal
  if (isAlone && firstRefusal !== undefined) return refuse(firstRefusal)

  const accepted = judged.filter(({ refusal }) => refusal === undefined).map(({ device }) => device)
  const toChange = accepted.filter((device) => !(change.isAsWished?.(device) ?? false))
  if (toChange.length > 0) await change.apply(toChange)
  await writeDeviceLog(
    db,
    operator,
    toChange.flatMap((device) => change.log(device).map((line) => ({ ...line, deviceId: device.id }))),
  )
  audit({
    before: toChange.map((device) => ({ deviceId: device.sid, ...change.before(device) })),
    after: toChange.map((device) => ({ deviceId: device.sid, ...change.after(device) })),
  })

  const word = (refusal: DeviceRefusal) => translate(language, `refusals.${refusal}`)
  return {
    changed: accepted.length,
    failed: [
      ...judged.flatMap(({ device, refusal }) =>
        refusal === undefined ? [] : [{ id: device.id, deviceId: device.sid, message: word(refusal) }],
      ),
      ...missingOf(named, found).map((missing) => ({ ...missing, message: word('notFound') })),
    ],
  }
}
