import { bindGoodsToDevices } from '@chairside/contract'
import { useState } from 'react'
import { ChoiceField } from '../kit/choice-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { useOptions } from '../kit/listed-options.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { sharedBy, type DeviceDialogProps } from './chosen-devices.ts'
import { massageTemplateOptions, sleepTemplateOptions } from './device-options.ts'

/** The value of `sleepTemplateId` that takes a template away. */
const noTemplate = '0'

/**
 * Lets devices sell the goods of a template, and those of another while people sleep (spec 2 §3). It begins with the
 * template that all of them have, so that the other can be set alone.
 */
export function GoodsDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const [templateId, setTemplateId] = useState(sharedBy(props.chosen.devices, (device) => device.templateId))
  const [sleepTemplateId, setSleepTemplateId] = useState('')
  const massage = useOptions(massageTemplateOptions)
  const sleep = useOptions(sleepTemplateOptions)
  return (
    <BulkDialog
      {...props}
      title={say('devices.dialog.goodsTitle')}
      endpoint={bindGoodsToDevices}
      inputOf={(deviceIds) => ({ deviceIds, templateId, sleepTemplateId })}
      submitText={say('devices.action.bindGoods')}
    >
      {(errors) => (
        <>
          <ChoiceField
            name="templateId"
            label={say('devices.field.templateName')}
            error={errors['templateId']}
            hint={say('devices.dialog.goods')}
            required
            isSearched
            value={templateId}
            options={massage.options}
            read={massage.read}
            onChange={setTemplateId}
          />
          <ChoiceField
            name="sleepTemplateId"
            label={say('devices.dialog.sleepTemplate')}
            error={errors['sleepTemplateId']}
            isSearched
            value={sleepTemplateId}
            options={[
              { value: '', label: say('devices.dialog.associated.2') },
              { value: noTemplate, label: say('devices.dialog.noSleepTemplate') },
              ...sleep.options,
            ]}
            read={sleep.read}
            onChange={setSleepTemplateId}
          />
        </>
      )}
    </BulkDialog>
  )
}
