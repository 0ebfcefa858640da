import { deviceStatuses, type AlertRow } from '@chairside/contract'
import { codeInWords } from '@chairside/contract/locales/texts'
import { Link } from '@tanstack/react-router'
import { formatDateTime } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { StatusTag } from '../kit/status-tag.tsx'
import { useMay } from '../kit/user.ts'

/** The filters of the device list that show what an alert is of. */
function devicesBehind({ kind, state, deviceId, placeId }: AlertRow): Record<string, string> {
  if (deviceId !== '') return { deviceid: deviceId }
  return {
    ...(placeId === null ? {} : { placeid: String(placeId) }),
    ...(kind === 'offline' && state === 'open' ? { status: String(deviceStatuses.offline) } : {}),
  }
}

/** What it is about, at a glance. */
export function AlertKindTag({ alert }: { alert: AlertRow }) {
  const say = useTexts()
  return (
    <span className="tags">
      <StatusTag of="alerts.kind" value={alert.kind} />
      {alert.times > 1 && (
        <span className="tag tag-quiet">{say('alerts.list.times', { times: alert.times })}</span>
      )}
      {alert.seenTime !== null && <span className="tag tag-good">{say('alerts.list.seen')}</span>}
    </span>
  )
}

/** The device, or how many of the place; a link to them for whoever may see the device list. */
export function AlertSubject({ alert }: { alert: AlertRow }) {
  const say = useTexts()
  const may = useMay()
  const { language } = useLanguage()
  const { deviceId, deviceName, devices, mostDevices, placeDevices, state, code } = alert
  const count =
    state === 'open'
      ? say('alerts.list.ofPlace', { devices, placeDevices })
      : say('alerts.list.wasOfPlace', { devices: mostDevices, placeDevices })
  const subject = deviceId === '' ? count : <code>{deviceId}</code>
  return (
    <>
      {may('device.list') ? (
        <Link to={'/devices' as '/'} search={devicesBehind(alert) as never}>
          {subject}
        </Link>
      ) : (
        subject
      )}{' '}
      {deviceId !== '' && deviceName}
      {code !== '' && <div className="hint">{codeInWords(language, 'alerts.trouble', code)}</div>}
    </>
  )
}

/** Since when it is so, and since when not any more. */
export function AlertTime({ alert: { beganTime, clearedTime } }: { alert: AlertRow }) {
  return (
    <>
      <time dateTime={beganTime}>{formatDateTime(beganTime)}</time>
      {clearedTime !== null && (
        <div className="hint nowrap">
          – <time dateTime={clearedTime}>{formatDateTime(clearedTime)}</time>
        </div>
      )}
    </>
  )
}
