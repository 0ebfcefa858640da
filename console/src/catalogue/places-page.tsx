import { listPlaces, userTypes, type PlaceRow } from '@chairside/contract'
import { useState } from 'react'
import { AddButton } from '../kit/add-button.tsx'
import type { AddressState } from '../kit/address.ts'
import { DeviceCount } from '../kit/device-count.tsx'
import { DeviceLink } from '../kit/device-link.tsx'
import { Facts } from '../kit/facts.tsx'
import type { FilterDefinition } from '../kit/filter.ts'
import { ImportButton } from '../kit/imports/import-button.tsx'
import { useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { BlockedPage } from '../kit/plain-page.tsx'
import { useUser } from '../kit/user.ts'
import { PlaceActions, type PlaceDialogName } from './place-actions.tsx'
import './catalogue.css'

const PlaceDialog = lazyDialog(() => import('./place-dialog.tsx').then((module) => module.PlaceDialog))
const HoursDialog = lazyDialog(() => import('./hours-dialog.tsx').then((module) => module.HoursDialog))
const ImportPlacesDialog = lazyDialog(() =>
  import('./import-places-dialog.tsx').then((module) => module.ImportPlacesDialog),
)
const BindDialog = lazyDialog(() => import('./bind-dialog.tsx').then((module) => module.BindDialog))

type Listed = PlaceRow & Record<string, unknown>
type Opened = { dialog: 'add' | 'import' } | { dialog: PlaceDialogName; place: PlaceRow }

const filters: readonly FilterDefinition[] = [
  { name: 'address', text: 'catalogue.place.field.address', kind: 'text', maxLength: 128 },
]
const contains = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase())
const keeps = ({ address }: Listed, wanted: AddressState) => contains(address, wanted['address'] ?? '')
const widths = { address: 300, phone: 140, hours: 132, deviceCount: 84, subName: 180, actions: 176 }
const draw = {
  phone: ({ phone }: Listed) => phone,
  hours: ({ hours }: Listed) => <span className="figure">{hours}</span>,
  deviceCount: (place: Listed) => (
    <DeviceCount count={place.deviceCount} search={{ placeid: String(place.id) }} />
  ),
}

/** `/place`: a merchant's places: their chairs, their hours, and who looks after them (spec 2 §2). */
export function PlacesPage() {
  const { type } = useUser()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  if (type !== userTypes.merchant) return <BlockedPage isForOthers />
  return (
    <>
      <ListScreen<Listed>
        title="catalogue.place.title"
        emptyText={{ hint: 'catalogue.place.noneHint' }}
        endpoint={listPlaces}
        filters={filters}
        keeps={keeps}
        rowKey="id"
        rowName="address"
        widths={widths}
        draw={draw}
        toolbar={
          <>
            <ImportButton needs="place.add" onClick={() => setOpened({ dialog: 'import' })} />
            <AddButton
              text="catalogue.place.add"
              needs="place.add"
              onClick={() => setOpened({ dialog: 'add' })}
            />
          </>
        }
        actions={(place) => <PlaceActions place={place} onOpen={(dialog) => setOpened({ dialog, place })} />}
        expanded={(place) => <WhatIsThere place={place} />}
      />
      {opened?.dialog === 'add' && <PlaceDialog onClose={close} />}
      {opened?.dialog === 'import' && <ImportPlacesDialog onClose={close} />}
      {opened?.dialog === 'edit' && <PlaceDialog place={opened.place} onClose={close} />}
      {opened?.dialog === 'hours' && <HoursDialog place={opened.place} onClose={close} />}
      {opened?.dialog === 'bind' && <BindDialog place={opened.place} onClose={close} />}
    </>
  )
}

function WhatIsThere({ place }: { place: PlaceRow }) {
  const say = useTexts()
  const narrow = useNarrow()
  const ids = place.devices.length > 0 && (
    <div className="ids-there">
      {place.devices.map((deviceId) => (
        <DeviceLink key={deviceId} deviceId={deviceId} />
      ))}
    </div>
  )
  const deviceIds = [say('catalogue.place.field.deviceIds'), ids || null] as const
  // A card on a phone has the sub-accounts above.
  return (
    <Facts
      facts={narrow ? [deviceIds] : [[say('catalogue.place.field.subName'), place.subName], deviceIds]}
    />
  )
}
