import type { addDevice, ParsedInputOf } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import type { Principal } from '../kit/principal.ts'
import type { DeviceCredentials } from './device-credentials.ts'
import { writeDeviceLog } from './device-log.ts'
import { beginStatesOf } from './device-terms-sql.ts'

/** A device that was added, with the password of its board. */
export interface AddedDevice {
  id: number
  deviceId: string
  password: string
}

/** Why a device is not added: the field that is in the way. */
export type NotAdded = { refused: 'modelUnknown' | 'deviceIdTaken' }

async function findKnownModels(db: Database, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from device_models where id = any(${[...new Set(ids)]}::bigint[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

interface NewDevice {
  sid: string
  name: string
  modelId: number
  firmware: string
  /** In hexadecimal digits. */
  credentialHash: string
}

/**
 * Adds devices of nobody. A removed one of the same id comes back as new, in no batch: whose it was stays with its orders, its
 * history and its log. In the order of their ids, so that two who add the same ones wait and do not block each other.
 * @returns the ids of those that were added, by device id; others have such a device already
 */
async function insertDevices(
  db: Database,
  devices: readonly NewDevice[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ sid: string; id: number }>`
    with made as (
      insert into devices as d (sid, name, model_id, firmware, credential_hash)
      select sid, name, "modelId", firmware, decode("credentialHash", 'hex')
        from jsonb_to_recordset(${JSON.stringify(devices)}::jsonb)
          as n (sid text, name text, "modelId" bigint, firmware text, "credentialHash" text)
       order by sid
      on conflict (sid) do update set
        name = excluded.name, model_id = excluded.model_id, firmware = excluded.firmware, credential_hash = excluded.credential_hash,
        batch_id = null, merchant_id = null, place_id = null, template_id = null, sleep_template_id = null, bound = false, bound_at = null, locked = 0,
        wifi_ssid = '', wifi_password = null, tag = '', removed_at = null, created_at = now()
        where d.removed_at is not null
      returning id, sid),
    stated as (${beginStatesOf('made')})
    select id, sid from made`.execute(db)
  return new Map(rows.map(({ sid, id }) => [sid, id]))
}

/**
 * Adds devices, one or thousands, and answers for each, in their order, what became of it. Of two with one id the first
 * is added.
 */
export async function addDevices(
  { db, credentials, operator }: { db: Database; credentials: DeviceCredentials; operator: Principal },
  forms: readonly ParsedInputOf<typeof addDevice>[],
): Promise<(AddedDevice | NotAdded)[]> {
  const models = await findKnownModels(
    db,
    forms.map(({ modelid }) => modelid),
  )
  const passwords = new Map<number, string>()
  const first = new Map<string, number>()
  const devices: NewDevice[] = []
  for (const [place, form] of forms.entries()) {
    if (!models.has(form.modelid) || first.has(form.deviceid)) continue
    first.set(form.deviceid, place)
    const { password, hash } = credentials.issue(form.deviceid)
    passwords.set(place, password)
    devices.push({
      sid: form.deviceid,
      name: form.name,
      modelId: form.modelid,
      firmware: form.fmversion ?? '',
      credentialHash: hash.toString('hex'),
    })
  }
  const ids = await insertDevices(db, devices)
  await writeDeviceLog(
    db,
    operator,
    [...ids.values()].map((deviceId) => ({ deviceId, merchantId: null, action: 'added' })),
  )
  return forms.map(({ deviceid, modelid }, place) => {
    if (!models.has(modelid)) return { refused: 'modelUnknown' }
    const [id, password] = [ids.get(deviceid), passwords.get(place)]
    return id === undefined || password === undefined
      ? { refused: 'deviceIdTaken' }
      : { id, deviceId: deviceid, password }
  })
}
