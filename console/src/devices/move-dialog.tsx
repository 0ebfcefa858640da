import { moveDevices } from '@chairside/contract'
import { Radio } from 'antd'
import { useId, useState } from 'react'
import { FormField } from '../kit/form-field.tsx'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { OrganisationPicker } from '../kit/organisation-picker.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import type { DeviceDialogProps, ListedDevice } from './chosen-devices.ts'

const associations = ['2', '1', '0'] as const

/** Gives devices to a merchant; says what those that change hands lose (spec 2 §3, "Device move form"). */
export function MoveDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  const labelId = useId()
  const [merchantId, setMerchantId] = useState('')
  const [associated, setAssociated] = useState<(typeof associations)[number]>('2')
  return (
    <BulkDialog
      {...props}
      title={say('devices.dialog.moveTitle', counted)}
      endpoint={moveDevices}
      inputOf={(deviceIds) => ({ deviceIds, merchantId, associated })}
      submitText={say('devices.action.move')}
    >
      {(errors) => (
        <>
          <FormField
            name="merchantId"
            label={say('devices.dialog.moveTo')}
            error={errors['merchantId']}
            required
          >
            {({ id }) => (
              <OrganisationPicker id={id} kind="merchant" value={merchantId} onChange={setMerchantId} />
            )}
          </FormField>
          <div className="field">
            <span id={labelId} className="radio-label">
              {say('devices.field.associated')}
            </span>
            <Radio.Group
              aria-labelledby={labelId}
              value={associated}
              options={associations.map((value) => ({
                value,
                label: say(`devices.dialog.associated.${value}`),
              }))}
              onChange={({ target }) => setAssociated(target.value as typeof associated)}
            />
          </div>
          <WhatIsCleared devices={props.chosen.devices} merchantId={merchantId} />
        </>
      )}
    </BulkDialog>
  )
}

function WhatIsCleared({ devices, merchantId }: { devices: readonly ListedDevice[]; merchantId: string }) {
  const say = useTexts()
  const { language } = useLanguage()
  const moved = devices.filter((device) => String(device.merchantId ?? '') !== merchantId)
  const count = (holds: (device: ListedDevice) => boolean) =>
    formatCount(moved.filter(holds).length, language)
  const held = moved.filter((device) => device.merchantId !== null)
  return (
    <>
      {held.length > 0 && (
        <p>
          {devices.length === 1
            ? say('devices.dialog.moveClearsAlone')
            : say('devices.dialog.moveClears', {
                count: formatCount(held.length, language),
                places: count(({ placeId }) => placeId !== null),
                templates: count(({ templateId }) => templateId !== null),
              })}
        </p>
      )}
      <p className="hint">{say('devices.dialog.moveKeeps')}</p>
    </>
  )
}
