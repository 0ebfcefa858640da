import { sql, type Database } from '../kit/database.ts'
import { writeDeviceLog } from './device-log.ts'

/** What a command of kind `wifi` keeps until it is answered. */
export interface WifiPayload {
  ssid: string
  /** Sealed, in base64. */
  sealedPassword: string
  /** Whose device it was when it was asked: the outcome is for them. */
  merchantId: number | null
  operatorOrganisationId: number
}

interface AskedWifi extends WifiPayload {
  deviceId: number
  requestedBy: string
}

async function findAsked(db: Database, commandId: string): Promise<AskedWifi | undefined> {
  const { rows } = await sql<{ deviceId: number; requestedBy: string; payload: WifiPayload }>`
    select device_id as "deviceId", requested_by as "requestedBy", payload from device_commands where id = ${commandId}`.execute(
    db,
  )
  return rows[0] && { ...rows[0].payload, ...rows[0] }
}

const note = (
  db: Database,
  { requestedBy, operatorOrganisationId, deviceId, merchantId, ssid }: AskedWifi,
  action: string,
  reason = '',
) =>
  writeDeviceLog(db, { userName: requestedBy, organisationId: operatorOrganisationId }, [
    { deviceId, merchantId, action, details: { ssid, reason } },
  ])

/**
 * A board acknowledged a network, or refused it. What it acknowledged is what it uses from now on, unless the device went
 * to somebody else meanwhile; the command forgets the password.
 */
export async function storeWifiAnswer(
  db: Database,
  { commandId, accepted, reason }: { commandId: string; accepted: boolean; reason: string },
): Promise<void> {
  const asked = await findAsked(db, commandId)
  if (!asked) return
  if (accepted)
    await sql`
      update devices set wifi_ssid = ${asked.ssid}, wifi_password = decode(${asked.sealedPassword}, 'base64')
       where id = ${asked.deviceId} and merchant_id is not distinct from ${asked.merchantId}::bigint`.execute(
      db,
    )
  await sql`update device_commands set payload = payload - 'sealedPassword' where id = ${commandId}`.execute(
    db,
  )
  await note(db, asked, accepted ? 'wifiSet' : 'wifiRefused', reason)
}

/** A board did not answer in time. Should it have changed over anyway, its late answer is stored. */
export async function noteWifiSilence(db: Database, commandId: string): Promise<void> {
  const asked = await findAsked(db, commandId)
  if (asked) await note(db, asked, 'wifiUnanswered')
}
