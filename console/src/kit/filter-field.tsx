import { Checkbox, Input, Select } from 'antd'
import { useState } from 'react'
import type { AddressState } from './address.ts'
import { DateField } from './date-field.tsx'
import type { FilterDefinition } from './filter.ts'
import { useTextOf, useTexts } from './language.tsx'
import { useOptions, type OptionSource } from './listed-options.ts'
import { OrganisationPicker } from './organisation-picker.tsx'
import { PartFailure } from './read-state.tsx'

/** Values that one takes in without searching. */
const mostAtAGlance = 12

interface FieldProps {
  filter: FilterDefinition
  id: string
  state: AddressState
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** The field of one filter, by its kind. */
export function FilterField({ filter, id, state, value, error, onChange }: FieldProps) {
  const say = useTexts()
  const textOf = useTextOf()
  const status = error === undefined ? {} : { status: 'error' as const }
  const select = (options: { value: string; label: string }[], chosen = value, allowClear = true) => (
    <Select
      id={id}
      allowClear={allowClear}
      value={chosen === '' ? null : chosen}
      options={options}
      // What does not fit into the list that opens is looked for by its words.
      {...(options.length > mostAtAGlance ? { showSearch: { optionFilterProp: 'label' } } : {})}
      placeholder={say('console.list.all')}
      className="whole-width"
      {...status}
      onChange={(next) => onChange(next ?? '')}
    />
  )
  switch (filter.kind) {
    case 'text':
      return (
        <Input
          id={id}
          allowClear
          value={value}
          maxLength={filter.maxLength}
          {...(filter.isId ? { className: 'id-input', title: value } : {})}
          {...status}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'choice':
      return select(
        filter.values.map((one) => ({ value: one, label: textOf(`${filter.valueText}.${one}`) })),
        value === '' ? (filter.byDefault ?? '') : value,
        filter.byDefault === undefined,
      )
    case 'year': {
      const years = filter.years().map(String)
      return select(
        years.map((one) => ({ value: one, label: one })),
        value === '' ? years[0] : value,
        false,
      )
    }
    case 'flag':
      return select([
        { value: '1', label: say(filter.yes) },
        { value: '0', label: say(filter.no) },
      ])
    case 'date':
      return (
        <DateField
          id={id}
          value={value}
          limits={filter.limits?.(state)}
          isInvalid={error !== undefined}
          onChange={onChange}
        />
      )
    case 'checkbox':
      return (
        <Checkbox
          id={id}
          checked={value === '1'}
          onChange={({ target }) => onChange(target.checked ? '1' : '')}
        >
          {say(filter.text)}
        </Checkbox>
      )
    case 'listed':
      return <ListedField id={id} source={filter.source} value={value} error={error} onChange={onChange} />
    case 'given': {
      const source = filter.sourceOf(value)
      return <ListedField id={id} source={source} value={value} error={error} isGiven onChange={onChange} />
    }
    case 'merchant':
    case 'agent':
      return <OrganisationPicker id={id} kind={filter.kind} value={value} onChange={onChange} />
  }
}

interface ListedProps extends Omit<FieldProps, 'filter' | 'state'> {
  source: OptionSource
  /** There is nothing to choose but what is chosen. */
  isGiven?: boolean
}

/** Reads what it offers when somebody turns to it, or when what is chosen has to be called by its name. */
function ListedField({ id, source, value, error, isGiven = false, onChange }: ListedProps) {
  const say = useTexts()
  const [isTurnedTo, setTurnedTo] = useState(false)
  const { options, read } = useOptions(source, isTurnedTo || value !== '')
  const turnTo = () => setTurnedTo(!isGiven)
  return (
    <Select
      id={id}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      value={value === '' ? null : value}
      options={[...options]}
      loading={read.isLoading}
      {...(read.isLoading ? { notFoundContent: say('console.list.loading') } : {})}
      {...(read.isError ? { notFoundContent: <PartFailure read={read} /> } : {})}
      onMouseEnter={turnTo}
      onFocus={turnTo}
      placeholder={say('console.list.all')}
      className="whole-width"
      {...(error === undefined ? {} : { status: 'error' as const })}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
