import { translate } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'
import { sql, type Database } from '../kit/database.ts'
import type { Principal } from '../kit/principal.ts'
import { boardReason } from './board-reason.ts'

/** A line of a device's log (spec 2 §3): `action` is a word of `devices.log`, `details` are its values. */
export interface DeviceLogLine {
  deviceId: number
  /** Who holds the device at this moment; the line belongs to them, and to those above them, for ever. */
  merchantId: number | null
  action: string
  details?: Record<string, string>
}

/** Writes what somebody did with devices into their logs, in the transaction that does it. */
export async function writeDeviceLog(
  db: Database,
  operator: Pick<Principal, 'userName' | 'organisationId'>,
  lines: readonly DeviceLogLine[],
): Promise<void> {
  if (lines.length === 0) return
  await sql`
    insert into device_logs (device_id, merchant_id, user_id, operator_organisation_id, action, details)
    select "deviceId", "merchantId", ${operator.userName}, ${operator.organisationId}::bigint, action, coalesce(details, '{}')
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        as l ("deviceId" bigint, "merchantId" bigint, action text, details jsonb)`.execute(db)
}

/** The remark of a log line in the reader's language. */
export const remarkOf = (
  line: { action: string; details: Record<string, string>; remark: string },
  language: Language,
): string => {
  const { action, details, remark } = line
  if (action === '') return remark
  const { reason } = details
  const words = reason === undefined ? details : { ...details, reason: boardReason(reason, language) }
  return translate(language, `devices.log.${action}`, words)
}
