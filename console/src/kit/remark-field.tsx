import { textLimit, type Endpoint } from '@chairside/contract'
import { Input } from 'antd'
import { FormField } from './form-field.tsx'

interface Props {
  /** The call and its field; they give the most characters. */
  endpoint: Endpoint
  name: string
  label: string
  value: string
  error: string | undefined
  required?: boolean
  autoFocus?: boolean
  onChange: (value: string) => void
}

/** A text of several lines that counts its characters. */
export function RemarkField(props: Props) {
  const { endpoint, name, label, value, error, required = false, autoFocus = false, onChange } = props
  const limit = textLimit(endpoint, name)
  return (
    <FormField name={name} label={label} error={error} required={required}>
      {(attributes) => (
        <Input.TextArea
          {...attributes}
          autoFocus={autoFocus}
          rows={3}
          showCount
          {...(limit === undefined ? {} : { maxLength: limit })}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FormField>
  )
}
