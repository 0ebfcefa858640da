import { addDevice, editDevice, removeDevices } from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import { sql, type Database } from '../kit/database.ts'
import { addDevices } from './add-devices.ts'
import { changeDevices } from './change-devices.ts'
import type { DeviceCredentials } from './device-credentials.ts'
import { writeDeviceLog } from './device-log.ts'
import { retireDevices } from './device-terms-sql.ts'
import { findDevicesToChange } from './devices-to-change-sql.ts'

/** Name of a model; undefined when there is none. */
async function findModelName(db: Database, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ model: string }>`select model from device_models where id = ${id}`.execute(db)
  return rows[0]?.model
}

async function add(credentials: DeviceCredentials, context: CallContext<typeof addDevice>) {
  const { db, input, caller, refuse, refuseField, audit } = context
  audit({ target: input.deviceid })
  const [added] = await addDevices({ db, credentials, operator: caller() }, [input])
  if (!added || 'refused' in added) {
    if (added?.refused === 'modelUnknown') return refuseField('modelid', 'validation.modelUnknown')
    return refuse('deviceIdTaken')
  }
  const { id, deviceId } = added
  const { name, modelid: modelId, fmversion: firmware = '' } = input
  audit({ after: { id, deviceId, name, modelId, firmware } })
  return added
}

async function edit(context: CallContext<typeof editDevice>) {
  const { db, scope, caller, refuse, refuseField, audit } = context
  const [device] = await findDevicesToChange(db, scope, [context.input.id])
  if (!device) return refuse('notFound')
  const input = keepUnchanged(context.input, {
    name: device.name,
    modelid: device.modelId,
    fmversion: device.firmware,
  })
  audit({ target: device.sid })
  if (input.deviceid !== undefined && input.deviceid !== device.sid)
    refuseField('deviceid', 'validation.deviceIdStays')
  const model = await findModelName(db, input.modelid)
  if (model === undefined) refuseField('modelid', 'validation.modelUnknown')
  const before = { name: device.name, modelId: device.modelId, firmware: device.firmware }
  const after = {
    name: input.name,
    modelId: input.modelid,
    firmware: input.fmversion ?? device.firmware,
  }
  audit({ before, after })
  const changes = [
    ...(after.name === before.name ? [] : [after.name]),
    ...(after.modelId === before.modelId ? [] : [model]),
    ...(after.firmware === before.firmware ? [] : [after.firmware]),
  ]
  if (changes.length > 0) {
    await sql`
      update devices set name = ${after.name}, model_id = ${after.modelId}, firmware = ${after.firmware} where id = ${device.id}`.execute(
      db,
    )
    await writeDeviceLog(db, caller(), [
      {
        deviceId: device.id,
        merchantId: device.merchantId,
        action: 'edited',
        details: { changes: changes.join(', ') },
      },
    ])
  }
  return { id: device.id, deviceId: device.sid }
}

/** A chair that runs, or is about to, serves somebody who paid for it; all others go, whoever held them. */
const remove = (context: CallContext<typeof removeDevices>) =>
  changeDevices(context, {
    judge: ({ inUse }) => (inUse ? 'deviceBusy' : undefined),
    apply: async (devices) => {
      const ids = devices.map(({ id }) => id)
      await sql`update devices set removed_at = now(), bound = false where id = any(${ids}::bigint[])`.execute(
        context.db,
      )
      await retireDevices(context.db, ids)
    },
    before: ({ merchantId, placeId }) => ({ merchantId, placeId }),
    after: () => ({ removed: true }),
    log: ({ merchantId }) => [{ merchantId, action: 'removed' }],
  })

/** Adding, changing and removing devices (spec 2 §7). */
export const createKeepDevicesCalls = (credentials: DeviceCredentials): Call[] => [
  handle(addDevice, (context) => add(credentials, context)),
  handle(editDevice, edit),
  handle(removeDevices, remove),
]
