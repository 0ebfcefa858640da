import { listDeviceStatus, shownInHistory } from '@chairside/contract'
import { formatDateTime, formatSeconds } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { StatusTag } from '../kit/status-tag.tsx'
import { DatedRecord } from './dated-record.tsx'

/** When a device was online and when not, newest first (spec 2 §2, "Device status history"). */
export function OnlineRecord({ deviceId, onClose }: { deviceId: string; onClose: () => void }) {
  const say = useTexts()
  const { language } = useLanguage()
  const title = say('console.devices.onlineTitle', { id: deviceId })
  return (
    <DatedRecord deviceId={deviceId} endpoint={listDeviceStatus} title={title} width={560} onClose={onClose}>
      {(records) => (
        <ul className="cards">
          {records.map(({ reportTime, status, duration, hostName }) => (
            <li key={reportTime} className="card">
              <StatusTag of="devices.status" value={String(shownInHistory(status))} />{' '}
              <time dateTime={reportTime}>{formatDateTime(reportTime)}</time>
              <div className="hint">
                {say('console.devices.duration')} {formatSeconds(duration, language)} · {hostName}
              </div>
            </li>
          ))}
        </ul>
      )}
    </DatedRecord>
  )
}
