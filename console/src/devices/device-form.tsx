import { deviceLimits } from '@chairside/contract'
import { Input } from 'antd'
import { ChoiceField } from '../kit/choice-field.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { useOptions } from '../kit/listed-options.ts'
import { modelOptions } from './device-options.ts'
import { TypeField } from './type-field.tsx'

/** Fields of the form of a device as they are typed (spec 2 §3, "Device edit form"). */
export interface TypedDevice {
  deviceid: string
  name: string
  modelid: string
  fmversion: string
}

interface Props {
  typed: TypedDevice
  errors: Record<string, string>
  /** A device that is there keeps its id. */
  isNew: boolean
  onChange: (typed: TypedDevice) => void
}

export function DeviceFields({ typed, errors, isNew, onChange }: Props) {
  const say = useTexts()
  const { options: models, read } = useOptions(modelOptions)
  const text = (name: 'deviceid' | 'name' | 'fmversion', label: string, isReadOnly = false) => (
    <FormField
      name={name}
      label={label}
      error={errors[name]}
      hint={name === 'deviceid' && isNew ? say('devices.form.deviceIdHint') : undefined}
      required={name !== 'fmversion'}
    >
      {(attributes) => (
        <Input
          {...attributes}
          autoFocus={name === (isNew ? 'deviceid' : 'name')}
          autoComplete="off"
          readOnly={isReadOnly}
          maxLength={deviceLimits[name]}
          value={typed[name]}
          onChange={(event) => onChange({ ...typed, [name]: event.target.value })}
        />
      )}
    </FormField>
  )
  return (
    <div className="form-grid">
      {text('deviceid', say('devices.field.deviceId'), !isNew)}
      {text('name', say('devices.field.name'))}
      <ChoiceField
        name="modelid"
        label={say('devices.field.model')}
        error={errors['modelid']}
        required
        isSearched
        value={typed.modelid}
        options={models}
        read={read}
        onChange={(modelid) => onChange({ ...typed, modelid })}
      />
      <TypeField error={errors['typeid']} />
      {text('fmversion', say('devices.field.fmVersion'))}
    </div>
  )
}
