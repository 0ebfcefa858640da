import {
  deviceStatusColumns,
  isMerchantMode,
  listDeviceStatus,
  shownInHistory,
  type DataOf,
  type SessionUser,
} from '@chairside/contract'
import type { AddressState } from '../kit/address.ts'
import { DeviceLink } from '../kit/device-link.tsx'
import type { FilterDefinition } from '../kit/filter.ts'
import { formatSeconds } from '../kit/formats.ts'
import { useLanguage } from '../kit/language.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { StatusTag } from '../kit/status-tag.tsx'

type StatusRow = DataOf<typeof listDeviceStatus>['list'][number]
type Listed = StatusRow & Record<string, unknown>

const filters: readonly FilterDefinition[] = [
  { name: 'deviceid', text: 'devices.field.deviceId', kind: 'text', maxLength: 20 },
  {
    name: 'merchantid',
    text: 'devices.field.merchantName',
    kind: 'merchant',
    visible: ({ type }) => !isMerchantMode(type),
  },
  { name: 'startdate', text: 'console.orders.startDate', kind: 'date' },
  { name: 'enddate', text: 'console.orders.endDate', kind: 'date' },
]
/** The screen tells the seconds of the sheet in words. */
const columns = deviceStatusColumns.map((column) =>
  column.field === 'duration' ? ({ ...column, text: 'console.devices.duration' } as const) : column,
)
const widths = { deviceSid: 160, status: 140, duration: 160, reportTime: 190, hostName: 160 }
const draw = {
  deviceSid: (row: StatusRow) => <DeviceLink deviceId={row.deviceSid} />,
  status: (row: StatusRow) => <StatusTag of="devices.status" value={String(shownInHistory(row.status))} />,
  duration: (row: StatusRow) => <Duration seconds={row.duration} />,
}
const keyOf = ({ deviceSid, reportTime }: StatusRow) => `${deviceSid} ${reportTime}`

/** Merchants see their own; others say whose history they want (spec 2 §2). */
const missing = (state: AddressState, { type }: SessionUser) =>
  isMerchantMode(type) || state['merchantid'] || state['deviceid']
    ? undefined
    : ('devices.history.chooseMerchant' as const)

/** `/api/device/status`: when devices were online and when not, newest first (spec 2 §2). */
export function StatusPage() {
  return (
    <ListScreen<Listed>
      title="devices.history.title"
      endpoint={listDeviceStatus}
      columns={columns}
      filters={filters}
      missing={missing}
      rowKey="deviceSid"
      keyOf={keyOf}
      widths={widths}
      draw={draw}
    />
  )
}

function Duration({ seconds }: { seconds: number }) {
  const { language } = useLanguage()
  return <span>{formatSeconds(seconds, language)}</span>
}
