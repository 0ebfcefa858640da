import { isMerchantMode, listDevices, userTypes, type DeviceRow } from '@chairside/contract'
import { useState } from 'react'
import { ActionButton } from '../kit/action-button.tsx'
import type { FilterDefinition } from '../kit/filters.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { StatusTag } from '../kit/status-tag.tsx'
import { OnlineRecord } from './online-record.tsx'
import { SignalBars } from './signal-bars.tsx'

/** Filters of spec 2 §2, "Device list", by role. */
const filters: readonly FilterDefinition[] = [
  { name: 'deviceid', text: 'devices.field.deviceId', kind: 'text', maxLength: 20 },
  {
    name: 'merchantid',
    text: 'devices.field.merchantName',
    kind: 'merchant',
    visible: ({ type }) => !isMerchantMode(type),
  },
  {
    name: 'agentId',
    text: 'console.devices.agent',
    kind: 'agent',
    visible: ({ type }) => !isMerchantMode(type),
  },
  {
    name: 'status',
    text: 'devices.field.status',
    kind: 'choice',
    values: ['1', '4', '2', '3'],
    valueText: 'devices.status',
  },
  {
    name: 'locked',
    text: 'devices.field.locked',
    kind: 'choice',
    values: ['0', '1', '2'],
    valueText: 'devices.locked',
  },
  {
    name: 'associated',
    text: 'devices.field.associated',
    kind: 'choice',
    values: ['0', '1', '2'],
    valueText: 'devices.associated',
  },
  {
    name: 'sleepmode',
    text: 'console.devices.sleepMode',
    kind: 'flag',
    yes: 'console.devices.yes',
    no: 'console.devices.no',
  },
  {
    name: 'new',
    text: 'console.devices.newDevices',
    kind: 'flag',
    yes: 'console.devices.yes',
    no: 'console.devices.no',
    visible: ({ type }) => type === userTypes.admin,
  },
]

/** `/devices`: every device of the caller, as it stands now. */
export function DevicesPage() {
  const say = useTexts()
  const [shown, setShown] = useState<string | null>(null)
  return (
    <>
      <ListScreen<DeviceRow & Record<string, unknown>>
        title="console.devices.title"
        endpoint={listDevices as never}
        filters={filters}
        rowKey="deviceId"
        widths={{ deviceId: 118, name: 100, model: 130, placeAddress: 240, signals: 80, actions: 130 }}
        hiddenColumns={['fmVersion', 'lastSeenTime', 'templateName']}
        fixed={({ new: onlyNew, ...state }) => ({
          ...(onlyNew === '1'
            ? { merchantid: '0' }
            : state['merchantid']
              ? { merchantid: state['merchantid'] }
              : {}),
          new: undefined,
        })}
        draw={{
          status: (device) => <DeviceStatus device={device} />,
          signals: (device) => <SignalBars level={device.signals} />,
        }}
        actions={(device) => (
          <ActionButton onClick={() => setShown(device.deviceId)}>
            {say('console.devices.online')}
          </ActionButton>
        )}
        expanded={(device) => <DeviceFacts device={device} />}
      />
      {shown !== null && <OnlineRecord deviceId={shown} onClose={() => setShown(null)} />}
    </>
  )
}

function DeviceStatus({ device }: { device: DeviceRow }) {
  const say = useTexts()
  return (
    <>
      <StatusTag of="devices.status" value={String(device.status)} />
      {device.running && <span className="tag tag-busy">{say('console.devices.running')}</span>}
      {device.blocked && <span className="tag tag-bad">{say('console.devices.blocked')}</span>}
    </>
  )
}

function DeviceFacts({ device }: { device: DeviceRow }) {
  const say = useTexts()
  const textOf = useTextOf()
  const facts: [string, React.ReactNode][] = [
    [
      say('devices.field.templateName'),
      [device.templateName, device.sleepTemplateName].filter(Boolean).join(' / '),
    ],
    [say('devices.field.fmVersion'), device.fmVersion],
    [say('devices.field.lastSeenTime'), formatDateTime(device.lastSeenTime)],
    [say('console.devices.agent'), device.agentName],
    [
      say('devices.field.associated'),
      device.cannotSell.map((reason) => textOf(`devices.cannotSell.${reason}`)).join(', '),
    ],
    [
      say('console.devices.payPage'),
      <a key="page" href={device.qrcodeurl} target="_blank" rel="noopener">
        {device.qrcodeurl}
      </a>,
    ],
  ]
  return (
    <dl className="details">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || say('console.list.none')}</dd>
        </div>
      ))}
    </dl>
  )
}
