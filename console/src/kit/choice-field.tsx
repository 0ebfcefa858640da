import { Select } from 'antd'
import { FormField } from './form-field.tsx'
import { useTexts } from './language.tsx'
import type { OptionsRead } from './listed-options.ts'

interface Props<Value extends string> {
  name: string
  label: string
  error: string | undefined
  hint?: string
  required?: boolean
  options: readonly { value: Value; label: string }[]
  /** The state of reading the options, where they are read. */
  read?: OptionsRead
  /** Where no option is the empty one, empty means that none is chosen yet. */
  value: Value | ''
  disabled?: boolean
  /** Lets somebody type to find one among many. */
  isSearched?: boolean
  onChange: (value: Value) => void
}

/** A field of a form that is one of what it offers. */
export function ChoiceField<Value extends string>(props: Props<Value>) {
  const { value, options, read, disabled = false, isSearched = false, onChange, error, ...field } = props
  const say = useTexts()
  const failure = read?.isError
    ? say('console.list.failed', { reason: read.error?.message ?? '' })
    : undefined
  return (
    <FormField {...field} error={error ?? failure}>
      {(attributes) => (
        <Select<Value>
          {...attributes}
          className="whole-width"
          disabled={disabled}
          {...((error ?? failure) === undefined ? {} : { status: 'error' as const })}
          {...(read?.isLoading ? { loading: true, notFoundContent: say('console.list.loading') } : {})}
          // Whoever opens it once more still wants them.
          onOpenChange={(isOpen) => isOpen && read?.isError && void read.refetch()}
          {...(isSearched ? { showSearch: { optionFilterProp: 'label' } } : {})}
          value={options.some((option) => option.value === value) ? (value as Value) : null}
          options={[...options]}
          onChange={onChange}
        />
      )}
    </FormField>
  )
}
