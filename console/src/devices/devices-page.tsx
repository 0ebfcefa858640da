import { isMerchantMode, listDevices, userTypes, type DeviceRow } from '@chairside/contract'
import { lazy, Suspense, useState } from 'react'
import { ActionButton } from '../kit/action-button.tsx'
import { Facts } from '../kit/facts.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { StatusTag } from '../kit/status-tag.tsx'
import { useUser } from '../kit/user.ts'
import { deviceFilters, newDevicesAsMerchant } from './device-filters.ts'
import { SignalBars } from './signal-bars.tsx'

const OnlineRecord = lazy(() =>
  import('./online-record.tsx').then((module) => ({ default: module.OnlineRecord })),
)

const hiddenFromAll = ['fmVersion', 'lastSeenTime', 'templateName']
/** A merchant's own name says nothing to it. */
const hiddenFromMerchants = [...hiddenFromAll, 'merchantName']
const widths = {
  deviceId: 112,
  name: 92,
  model: 128,
  placeAddress: 220,
  signals: 72,
  status: 116,
  associated: 112,
  locked: 104,
  actions: 136,
}
/** Admins see whose merchant it is (spec 2 §2). */
const agentColumn = [
  { field: 'agentName', text: 'console.devices.agent', kind: 'text', after: 'model' },
] as const
const draw = {
  status: (device: DeviceRow) => <DeviceStatus device={device} />,
  signals: (device: DeviceRow) => <SignalBars level={device.signals} />,
}

/** `/devices`: every device of the caller, as it stands now. */
export function DevicesPage() {
  const say = useTexts()
  const { type } = useUser()
  const [shown, setShown] = useState<string | null>(null)
  return (
    <>
      <ListScreen<DeviceRow & Record<string, unknown>>
        title="console.devices.title"
        endpoint={listDevices}
        filters={deviceFilters}
        rowKey="deviceId"
        widths={widths}
        hiddenColumns={isMerchantMode(type) ? hiddenFromMerchants : hiddenFromAll}
        {...(type === userTypes.admin ? { extraColumns: agentColumn } : {})}
        fixed={newDevicesAsMerchant}
        draw={draw}
        actions={(device) => (
          <ActionButton onClick={() => setShown(device.deviceId)}>
            {say('console.devices.online')}
          </ActionButton>
        )}
        expanded={(device) => <DeviceFacts device={device} />}
      />
      {shown !== null && (
        <Suspense>
          <OnlineRecord key={shown} deviceId={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  )
}

function DeviceStatus({ device }: { device: DeviceRow }) {
  const say = useTexts()
  return (
    <span className="tags">
      <StatusTag of="devices.status" value={String(device.status)} />
      {device.running && <span className="tag tag-busy">{say('console.devices.running')}</span>}
      {device.blocked && <span className="tag tag-bad">{say('console.devices.blocked')}</span>}
    </span>
  )
}

function DeviceFacts({ device }: { device: DeviceRow }) {
  const say = useTexts()
  const textOf = useTextOf()
  const templates = [device.templateName, device.sleepTemplateName].filter(Boolean).join(' / ')
  const lacking = device.cannotSell.map((reason) => textOf(`devices.cannotSell.${reason}`)).join(', ')
  return (
    <Facts
      facts={[
        ...(lacking ? [[say('devices.associated.2'), lacking] as const] : []),
        [say('devices.field.templateName'), templates],
        [
          say('console.devices.sleepMode'),
          say(device.sleepMode ? 'console.devices.yes' : 'console.devices.no'),
        ],
        [say('devices.field.fmVersion'), device.fmVersion],
        [say('devices.field.lastSeenTime'), formatDateTime(device.lastSeenTime)],
        [say('console.devices.boundSince'), formatDateTime(device.associatedTime)],
        [say('console.devices.addedAt'), formatDateTime(device.createTime)],
        [say('console.devices.agent'), device.agentName],
        [
          say('console.devices.payPage'),
          <a key="page" href={device.qrcodeurl} target="_blank" rel="noopener">
            {device.qrcodeurl}
          </a>,
        ],
      ]}
    />
  )
}
