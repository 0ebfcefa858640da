import { setDeviceWifi } from '@chairside/contract'
import { Input } from 'antd'
import { useState } from 'react'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import type { DeviceDialogProps } from './chosen-devices.ts'

const longest = 32

/** Tells boards another network; of one alone the form begins with what it uses (spec 2 §3, "WiFi form"). */
export function WifiDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  const { devices } = props.chosen
  const only = devices.length === 1 ? devices[0] : undefined
  const [typed, setTyped] = useState({ wifissid: only?.wifiSsid ?? '', wifipass: only?.wifiPass ?? '' })
  const field = (name: keyof typeof typed, error: string | undefined) => (
    <FormField name={name} label={say(`devices.wifi.${name}`)} error={error} required={name === 'wifissid'}>
      {(attributes) => (
        <Input
          {...attributes}
          autoFocus={name === 'wifissid'}
          autoComplete="off"
          spellCheck={false}
          maxLength={longest}
          value={typed[name]}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
        />
      )}
    </FormField>
  )
  return (
    <BulkDialog
      {...props}
      title={say('devices.wifi.title', counted)}
      endpoint={setDeviceWifi}
      inputOf={(deviceIds) => ({ deviceIds, ...typed })}
      submitText={say('devices.wifi.send')}
      busyText={say('devices.wifi.sent')}
      doneText="devices.wifi.done"
    >
      {(errors) => (
        <>
          {field('wifissid', errors['wifissid'])}
          {field('wifipass', errors['wifipass'])}
          <p className="hint">{say('devices.wifi.explain')}</p>
        </>
      )}
    </BulkDialog>
  )
}
