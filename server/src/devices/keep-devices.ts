import { addDevice, editDevice, removeDevices } from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { sql, type Database } from '../kit/database.ts'
import { changeDevices } from './change-devices.ts'
import type { DeviceCredentials } from './device-credentials.ts'
import { writeDeviceLog } from './device-log.ts'
import { findDevicesToChange } from './devices-to-change-sql.ts'

/** Name of a model; undefined when there is none. */
async function findModelName(db: Database, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ model: string }>`select model from device_models where id = ${id}`.execute(db)
  return rows[0]?.model
}

interface NewDevice {
  sid: string
  name: string
  modelId: number
  firmware: string
  credentialHash: Buffer
}

/**
 * Adds a device of nobody. A removed one of the same id comes back as new: whose it was stays with its orders, its
 * history and its log.
 * @returns undefined when there is one with this id
 */
async function insertDevice(db: Database, device: NewDevice): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into devices as d (sid, name, model_id, firmware, credential_hash)
    values (${device.sid}, ${device.name}, ${device.modelId}, ${device.firmware}, ${device.credentialHash})
    on conflict (sid) do update set
      name = excluded.name, model_id = excluded.model_id, firmware = excluded.firmware, credential_hash = excluded.credential_hash,
      merchant_id = null, place_id = null, template_id = null, sleep_template_id = null, bound = false, bound_at = null, locked = 0,
      wifi_ssid = '', wifi_password = null, tag = '', removed_at = null, created_at = now()
      where d.removed_at is not null
    returning id`.execute(db)
  const id = rows[0]?.id
  if (id !== undefined)
    await sql`insert into device_states (device_id) values (${id}) on conflict do nothing`.execute(db)
  return id
}

async function add(credentials: DeviceCredentials, context: CallContext<typeof addDevice>) {
  const { db, input, caller, refuse, refuseField, audit } = context
  audit({ target: input.deviceid })
  if ((await findModelName(db, input.modelid)) === undefined)
    refuseField('modelid', 'validation.modelUnknown')
  const { password, hash } = credentials.issue(input.deviceid)
  const device = {
    sid: input.deviceid,
    name: input.name,
    modelId: input.modelid,
    firmware: input.fmversion ?? '',
  }
  const id = await insertDevice(db, { ...device, credentialHash: hash })
  if (id === undefined) return refuse('deviceIdTaken')
  await writeDeviceLog(db, caller(), [{ deviceId: id, merchantId: null, action: 'added' }])
  audit({
    after: {
      id,
      deviceId: device.sid,
      name: device.name,
      modelId: device.modelId,
      firmware: device.firmware,
    },
  })
  return { id, deviceId: device.sid, password }
}

async function edit(context: CallContext<typeof editDevice>) {
  const { db, scope, input, caller, refuse, refuseField, audit } = context
  const [device] = await findDevicesToChange(db, scope, [input.id])
  if (!device) return refuse('notFound')
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

/** A chair that runs, or is about to, is somebody's who paid for it; all others go, whoever held them. */
const remove = (context: CallContext<typeof removeDevices>) =>
  changeDevices(context, {
    judge: ({ inUse }) => (inUse ? 'deviceBusy' : undefined),
    apply: async (devices) => {
      const ids = devices.map(({ id }) => id)
      await sql`update devices set removed_at = now(), bound = false where id = any(${ids}::bigint[])`.execute(
        context.db,
      )
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
