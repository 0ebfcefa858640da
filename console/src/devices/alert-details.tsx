import { listAlertDevices, type AlertRow } from '@chairside/contract'
import { Link } from '@tanstack/react-router'
import { useRead } from '../kit/call.ts'
import { Facts } from '../kit/facts.tsx'
import { formatDateTime, formatSeconds } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { useMay } from '../kit/user.ts'
import './alerts.css'

/** When it was raised, who has seen it and, if there are several, of which devices. */
export function AlertDetails({ alert }: { alert: AlertRow }) {
  const say = useTexts()
  const { raisedTime, clearedTime, seenTime, seenBy } = alert
  const seen =
    seenTime === null
      ? say('alerts.list.notSeen')
      : say('alerts.list.seenBy', { name: seenBy, time: formatDateTime(seenTime) })
  return (
    <>
      <Facts
        facts={[
          [say('alerts.field.raisedTime'), formatDateTime(raisedTime)],
          [say('alerts.field.clearedTime'), formatDateTime(clearedTime)],
          [say('alerts.field.seenBy'), seen],
        ]}
      />
      {(alert.deviceId === '' || alert.kind === 'quiet') && <AlertDevices alert={alert} />}
    </>
  )
}

/** The devices of an alert: those it holds for, then those that are well again. */
function AlertDevices({ alert }: { alert: AlertRow }) {
  const say = useTexts()
  const { language } = useLanguage()
  const may = useMay()
  const read = useRead(listAlertDevices, { id: alert.id })
  return (
    <ReadState read={read}>
      <ul className="alert-devices" aria-label={say('alerts.list.devices')}>
        {read.data?.list.map(
          ({ id, deviceId, name, beganTime, overTime, times, lastSaleTime, usualHours }) => (
            <li key={id}>
              {may('device.list') ? (
                <Link to={`/devices/card/${deviceId}` as '/'}>
                  <code>{deviceId}</code>
                </Link>
              ) : (
                <code>{deviceId}</code>
              )}{' '}
              {name}{' '}
              <span className="hint">
                {overTime === null
                  ? say('alerts.list.since', { time: formatDateTime(beganTime) })
                  : say('alerts.list.over', { time: formatDateTime(overTime) })}
                {lastSaleTime !== null &&
                  ` · ${say('alerts.list.lastSale', { time: formatDateTime(lastSaleTime) })}`}
                {usualHours !== null &&
                  ` · ${say('alerts.list.usually', { time: formatSeconds(Math.max(1, Math.round(usualHours)) * 3600, language) })}`}
                {times > 1 && ` · ${say('alerts.list.times', { times })}`}
              </span>
            </li>
          ),
        )}
      </ul>
    </ReadState>
  )
}
