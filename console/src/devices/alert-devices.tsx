import { listAlertDevices, type AlertRow } from '@chairside/contract'
import { Link } from '@tanstack/react-router'
import { useRead } from '../kit/call.ts'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'
import './alerts.css'

/** The devices of an alert: those it holds for, then those that are well again. */
export function AlertDevices({ alert }: { alert: AlertRow }) {
  const say = useTexts()
  const read = useRead(listAlertDevices, { id: alert.id })
  return (
    <ReadState read={read}>
      <ul className="alert-devices" aria-label={say('alerts.list.devices')}>
        {read.data?.list.map(({ id, deviceId, name, beganTime, overTime, times }) => (
          <li key={id}>
            <Link to={'/devices' as '/'} search={{ deviceid: deviceId } as never}>
              <code>{deviceId}</code>
            </Link>{' '}
            {name}{' '}
            <span className="hint">
              {overTime === null
                ? say('alerts.list.since', { time: formatDateTime(beganTime) })
                : say('alerts.list.over', { time: formatDateTime(overTime) })}
              {times > 1 && ` · ${say('alerts.list.times', { times })}`}
            </span>
          </li>
        ))}
      </ul>
    </ReadState>
  )
}
