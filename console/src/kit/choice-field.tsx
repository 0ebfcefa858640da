import { Select } from 'antd'
import { FormField } from './form-field.tsx'

interface Props<Value extends string> {
  name: string
  label: string
  error: string | undefined
  hint?: string
  required?: boolean
  options: readonly { value: Value; label: string }[]
  /** Where no option is the empty one, empty means that none is chosen yet. */
  value: Value | ''
  disabled?: boolean
  /** Lets somebody type to find one among many. */
  isSearched?: boolean
  onChange: (value: Value) => void
}

/** A field of a form that is one of what it offers. */
export function ChoiceField<Value extends string>(props: Props<Value>) {
  const { value, options, disabled = false, isSearched = false, onChange, ...field } = props
  return (
    <FormField {...field}>
      {(attributes) => (
        <Select<Value>
          {...attributes}
          className="whole-width"
          disabled={disabled}
          {...(field.error === undefined ? {} : { status: 'error' as const })}
          {...(isSearched ? { showSearch: { optionFilterProp: 'label' } } : {})}
          value={options.some((option) => option.value === value) ? (value as Value) : null}
          options={[...options]}
          onChange={onChange}
        />
      )}
    </FormField>
  )
}
