import {
  columnsFor,
  deviceColumns,
  isMerchantMode,
  listDevices,
  userTypes,
  type DeviceRow,
} from '@chairside/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AddButton } from '../kit/add-button.tsx'
import type { AddressState } from '../kit/address.ts'
import { ImportButton } from '../kit/imports/import-button.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { RowActions } from '../kit/row-actions.tsx'
import { useUser } from '../kit/user.ts'
import type { ChosenDevices, ListedDevice } from './chosen-devices.ts'
import type { DeviceAction } from './device-actions.ts'
import { DeviceFacts } from './device-facts.tsx'
import { deviceFilters, newDevicesAsMerchant } from './device-filters.ts'
import { useDeviceMenu, type OpenDialog } from './device-menu.ts'
import { useDeviceRecords, type ShownRecord } from './device-records.tsx'
import { DeviceBinding, DeviceLock, DeviceStatus } from './device-state.tsx'
import { DeviceToolbar } from './device-toolbar.tsx'
import { LiveRows } from './live-rows.tsx'
import { SignalBars } from './signal-bars.tsx'
import './devices.css'

const ImportDevicesDialog = lazyDialog(() =>
  import('./import-dialog.tsx').then((module) => module.ImportDevicesDialog),
)

const AddDialog = lazyDialog(() => import('./add-dialog.tsx').then((module) => module.AddDialog))

const optionalColumns = ['fmVersion', 'lastSeenTime', 'templateName']
/** The binding and the status say it too. */
const hiddenColumns = ['cannotSell', 'blocked', 'running']
/** A merchant's own name says nothing to it. */
const hiddenFromMerchants = [...hiddenColumns, 'merchantName']
const widths = {
  deviceId: 100,
  name: 76,
  model: 108,
  placeAddress: 140,
  signals: 68,
  // Room for "running" beside it on one line, lest rows jump when chairs start and end.
  status: 168,
  associated: 108,
  locked: 92,
  merchantName: 120,
  actions: 76,
}
/** One column more, and still room for longer ids than those of seven letters. */
const widthsOfAdmins = {
  ...widths,
  model: 90,
  placeAddress: 116,
  signals: 64,
  status: 174,
  associated: 106,
  locked: 88,
  agentName: 86,
  merchantName: 100,
}
/** Admins see whose merchant it is, and whose a lock is (spec 2 §§2, 4). */
const columnsOfAdmins = columnsFor(deviceColumns, userTypes.admin)
const columnsOfOthers = columnsFor(deviceColumns, userTypes.merchant)
const draw = {
  status: (device: DeviceRow) => <DeviceStatus device={device} />,
  signals: (device: DeviceRow) => <SignalBars level={device.signals} />,
  associated: (device: DeviceRow) => <DeviceBinding device={device} />,
  locked: (device: DeviceRow) => <DeviceLock device={device} />,
}

interface Chosen {
  devices: ReadonlyMap<string, ListedDevice>
  matching?: AddressState | undefined
}
const none: Chosen = { devices: new Map() }
const keyed = (devices: readonly ListedDevice[]) =>
  new Map(devices.map((device) => [device.deviceId, device]))

interface Opened {
  action: DeviceAction
  chosen: ChosenDevices
  /** Of a row's own menu, whatever is ticked. */
  isOfRow: boolean
}

/** What stays ticked after an action: those it failed for. One of a row leaves the ticks alone, unless the row is gone. */
function chosenAfter(
  { action, chosen, isOfRow }: Opened,
  before: Chosen,
  left: readonly ListedDevice[],
): Chosen {
  if (!isOfRow) return { devices: keyed(left) }
  const gone = action.key === 'remove' ? keyed(chosen.devices) : none.devices
  if ([...before.devices.keys()].every((id) => !gone.has(id)) || left.length > 0) return before
  return { devices: new Map([...before.devices].filter(([id]) => !gone.has(id))) }
}

/** What was ticked, as the page shows it now: a chair that was ticked before it ran runs. */
function asTheyAre({ devices, matching }: ChosenDevices, rows: readonly ListedDevice[]): ChosenDevices {
  const now = keyed(rows)
  return { devices: devices.map((device) => now.get(device.deviceId) ?? device), matching }
}

/** `/devices`: every device of the caller as it is now, and what can be done with it (spec 2 §2). */
export function DevicesPage() {
  const { type } = useUser()
  const narrow = useNarrow()
  const [chosen, setChosen] = useState<Chosen>(none)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [record, setRecord] = useState<ShownRecord | null>(null)
  const [adding, setAdding] = useState<'one' | 'sheet' | null>(null)
  const open: OpenDialog = (action, devices) => setOpened({ action, chosen: devices, isOfRow: false })
  const openOfRow: OpenDialog = (action, devices) => setOpened({ action, chosen: devices, isOfRow: true })
  const menuOf = useDeviceMenu(openOfRow)
  const recordsOf = useDeviceRecords(setRecord)
  const navigate = useNavigate()
  const ticked: ChosenDevices = { devices: [...chosen.devices.values()], matching: chosen.matching }
  return (
    <>
      <ListScreen<ListedDevice>
        title="console.devices.title"
        emptyText={{ hint: 'console.devices.noneHint' }}
        endpoint={listDevices}
        columns={type === userTypes.admin ? columnsOfAdmins : columnsOfOthers}
        filters={deviceFilters}
        rowKey="deviceId"
        widths={type === userTypes.admin ? widthsOfAdmins : widths}
        optionalColumns={optionalColumns}
        hiddenColumns={isMerchantMode(type) ? hiddenFromMerchants : hiddenColumns}
        fixed={newDevicesAsMerchant}
        draw={draw}
        selection={{
          chosen: chosen.devices,
          onChange: (devices, matching) => setChosen({ devices, matching }),
          offersAll: true,
        }}
        toolbar={
          <>
            <ImportButton needs="device.add" onClick={() => setAdding('sheet')} />
            <AddButton text="devices.action.add" needs="device.add" onClick={() => setAdding('one')} />
          </>
        }
        live={(rows) => <LiveRows rows={rows} />}
        chosenActions={(rows) => (
          <DeviceToolbar chosen={asTheyAre(ticked, rows)} onOpen={open} recordsOf={recordsOf} />
        )}
        actions={(device) => (
          <RowActions
            row={device.deviceId}
            actions={[...recordsOf(device.deviceId), ...menuOf({ devices: [device] })]}
            shown={0}
          />
        )}
        onOpen={({ deviceId }) => void navigate({ to: `/devices/card/${deviceId}` })}
        expanded={(device) => <DeviceFacts device={device} withNames={!narrow} />}
      />
      {opened && (
        <opened.action.Dialog
          whyNot={opened.action.whyNot}
          chosen={opened.chosen}
          onDone={(left) => setChosen((before) => chosenAfter(opened, before, left))}
          onClose={() => setOpened(null)}
        />
      )}
      {adding === 'one' && <AddDialog onClose={() => setAdding(null)} />}
      {adding === 'sheet' && <ImportDevicesDialog onClose={() => setAdding(null)} />}
      {record !== null && <record.Dialog deviceId={record.deviceId} onClose={() => setRecord(null)} />}
    </>
  )
}
