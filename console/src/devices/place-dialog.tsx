import { linkDevicesToPlace } from '@chairside/contract'
import { useState } from 'react'
import { ChoiceField } from '../kit/choice-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { useOptions } from '../kit/listed-options.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { sharedBy, type DeviceDialogProps } from './chosen-devices.ts'
import { placeOptions } from './device-options.ts'

/** Puts devices at a place of their merchant. */
export function PlaceDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const [placeId, setPlaceId] = useState(sharedBy(props.chosen.devices, (device) => device.placeId))
  const { options: places, read } = useOptions(placeOptions)
  return (
    <BulkDialog
      {...props}
      title={say('devices.dialog.placeTitle')}
      endpoint={linkDevicesToPlace}
      inputOf={(deviceIds) => ({ deviceIds, placeId })}
      submitText={say('devices.action.linkPlace')}
    >
      {(errors) => (
        <ChoiceField
          name="placeId"
          label={say('devices.field.placeAddress')}
          error={errors['placeId']}
          hint={say('devices.dialog.place')}
          required
          isSearched
          value={placeId}
          options={places}
          read={read}
          onChange={setPlaceId}
        />
      )}
    </BulkDialog>
  )
}
