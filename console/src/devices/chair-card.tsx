import { isMerchantMode, listDevices, type DeviceRow } from '@chairside/contract'
import { DownOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { ActionMenu, type MenuAction } from '../kit/action-menu.tsx'
import { useRead } from '../kit/call.ts'
import { Facts } from '../kit/facts.tsx'
import { useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { ScreenHeader } from '../kit/screen-header.tsx'
import { useUser } from '../kit/user.ts'
import type { ListedDevice } from './chosen-devices.ts'
import type { DeviceAction } from './device-actions.ts'
import { DeviceFacts } from './device-facts.tsx'
import { useDeviceMenu } from './device-menu.ts'
import { useDeviceRecords, type ShownRecord } from './device-records.tsx'
import { DeviceBinding, DeviceLock, DeviceStatus } from './device-state.tsx'
import { ToolbarButton } from './device-toolbar.tsx'
import { LiveRows } from './live-rows.tsx'
import { SignalBars } from './signal-bars.tsx'
import './devices.css'

/** What somebody in front of a chair does most; of a pair, what can be done now. Everything else is in the menu. */
const pairsInSight = [
  ['start', 'stop'],
  ['lock', 'unlock'],
  ['bind', 'unbind'],
]

function chooseInSight(actions: readonly MenuAction[]): MenuAction[] {
  return pairsInSight.flatMap((keys) => {
    const pair = actions.filter(({ key }) => keys.includes(key))
    return pair.find(({ disabledBecause }) => disabledBecause === undefined) ?? pair[0] ?? []
  })
}

/** One device as it is now, and what can be done with it; `children` show what it earned. */
export function ChairCard({ deviceId, children }: { deviceId: string; children: ReactNode }) {
  const say = useTexts()
  const read = useRead(listDevices, { deviceid: deviceId, pagesize: 10, pagenum: 1 })
  // The list answers what begins so.
  const device = read.data?.list.find((row) => row.deviceId === deviceId)
  return (
    <>
      <ScreenHeader
        title={[deviceId, device?.name].filter(Boolean).join(' · ')}
        beside={device && <LiveRows rows={[device]} />}
      />
      <ReadState read={read}>
        {device ? (
          <>
            <State device={device} />
            {children}
          </>
        ) : (
          <div className="notice">
            <p>{say('devices.card.unknown', { device: deviceId })}</p>
            <Link to={'/devices' as '/'}>{say('console.devices.title')}</Link>
          </div>
        )}
      </ReadState>
    </>
  )
}

function State({ device }: { device: DeviceRow }) {
  const say = useTexts()
  const { type } = useUser()
  return (
    <section className="panel chair-state">
      <div className="chair-tags">
        <DeviceStatus device={device} />
        <SignalBars level={device.signals} />
        <DeviceBinding device={device} />
        <DeviceLock device={device} />
      </div>
      <Facts
        facts={[
          [say('devices.field.placeAddress'), device.placeAddress],
          ...(isMerchantMode(type)
            ? []
            : [[say('devices.field.merchantName'), device.merchantName] as const]),
          [say('devices.field.model'), device.model],
        ]}
      />
      <Actions device={device} />
      <details>
        <summary>{say('devices.card.more')}</summary>
        <DeviceFacts device={device} />
      </details>
    </section>
  )
}

function Actions({ device }: { device: ListedDevice }) {
  const say = useTexts()
  const [opened, setOpened] = useState<DeviceAction | null>(null)
  const [record, setRecord] = useState<ShownRecord | null>(null)
  const chosen = { devices: [device] }
  const actions = useDeviceMenu(setOpened)(chosen)
  const records = useDeviceRecords(setRecord)(device.deviceId)
  const inSight = chooseInSight(actions)
  const inMenu = [...records, ...actions.filter((action) => !inSight.includes(action))]
  return (
    <div className="chair-actions" role="toolbar" aria-label={say('devices.action.withChosen')}>
      {inSight.map((action) => (
        <ToolbarButton key={action.key} action={action} />
      ))}
      <ActionMenu actions={inMenu}>
        {say('devices.action.more')} <DownOutlined aria-hidden />
      </ActionMenu>
      {opened && (
        <opened.Dialog
          whyNot={opened.whyNot}
          chosen={chosen}
          onDone={() => undefined}
          onClose={() => setOpened(null)}
        />
      )}
      {record && <record.Dialog deviceId={record.deviceId} onClose={() => setRecord(null)} />}
    </div>
  )
}
