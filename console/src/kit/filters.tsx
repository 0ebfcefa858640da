import type { SessionUser } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button, DatePicker, Input, Select } from 'antd'
import dayjs from 'dayjs'
import { useId, useState } from 'react'
import type { AddressState } from './address.ts'
import { useTextOf, useTexts } from './language.tsx'
import { useNarrow } from './narrow.ts'
import { OrganisationPicker } from './organisation-picker.tsx'

/** A filter of a list, declared as a constant beside its screen; its name is the call's field. */
export type FilterDefinition = {
  name: string
  text: TextKey
  /** Who sees it; everybody when absent. */
  visible?: (user: SessionUser) => boolean
} & (
  | { kind: 'text'; maxLength: number }
  | { kind: 'choice'; values: readonly string[]; valueText: string }
  | { kind: 'numberChoice'; values: () => readonly number[] }
  | { kind: 'flag'; yes: TextKey; no: TextKey }
  | { kind: 'date'; limits?: (state: AddressState) => { first: string; last: string } }
  | { kind: 'merchant' }
  | { kind: 'agent' }
)

interface FieldProps {
  filter: FilterDefinition
  id: string
  state: AddressState
  value: string
  onChange: (value: string) => void
}

function FilterField({ filter, id, state, value, onChange }: FieldProps) {
  const say = useTexts()
  const textOf = useTextOf()
  const select = (options: { value: string; label: string }[]) => (
    <Select
      id={id}
      allowClear
      value={value === '' ? null : value}
      options={options}
      placeholder={say('console.list.all')}
      style={{ width: '100%' }}
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
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'choice':
      return select(filter.values.map((one) => ({ value: one, label: textOf(`${filter.valueText}.${one}`) })))
    case 'numberChoice':
      return select(filter.values().map((one) => ({ value: String(one), label: String(one) })))
    case 'flag':
      return select([
        { value: '1', label: say(filter.yes) },
        { value: '0', label: say(filter.no) },
      ])
    case 'date': {
      const limits = filter.limits?.(state)
      return (
        <DatePicker
          id={id}
          style={{ width: '100%' }}
          value={value === '' ? null : dayjs(value)}
          {...(limits ? { minDate: dayjs(limits.first), maxDate: dayjs(limits.last) } : {})}
          onChange={(date) => onChange(date ? date.format('YYYY-MM-DD') : '')}
        />
      )
    }
    case 'merchant':
    case 'agent':
      return <OrganisationPicker id={id} kind={filter.kind} value={value} onChange={onChange} />
  }
}

interface Props {
  filters: readonly FilterDefinition[]
  user: SessionUser
  state: AddressState
  /** Filters as wanted; an empty object for none. */
  onSearch: (wanted: AddressState) => void
}

/** The collapsible search panel: Enter searches, Reset gives the bare address. */
export function FilterPanel({ filters, user, state, onSearch }: Props) {
  const say = useTexts()
  const narrow = useNarrow()
  const id = useId()
  const visible = filters.filter((filter) => filter.visible?.(user) ?? true)
  const [typed, setTyped] = useState<AddressState>(state)
  const [shown, setShown] = useState(state)
  const [open, setOpen] = useState(!narrow)
  // Going back and forth changes the address; the fields follow it.
  if (shown !== state) {
    setShown(state)
    setTyped(state)
  }
  const active = visible.filter(({ name }) => state[name]).length
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(
          Object.fromEntries(
            visible.flatMap(({ name }) => (typed[name] ? [[name, typed[name].trim()]] : [])),
          ),
        )
      }}
    >
      <Button
        type="text"
        aria-expanded={open}
        icon={open ? <UpOutlined /> : <DownOutlined />}
        onClick={() => setOpen(!open)}
      >
        {open ? say('console.list.hideFilters') : say('console.list.showFilters')}
        {active > 0 && ` (${active})`}
      </Button>
      {open && (
        <div className="filter-grid">
          {visible.map((filter) => (
            <div key={filter.name} className="field">
              <label htmlFor={`${id}-${filter.name}`}>{say(filter.text)}</label>
              <FilterField
                filter={filter}
                id={`${id}-${filter.name}`}
                state={typed}
                value={typed[filter.name] ?? ''}
                onChange={(value) => setTyped({ ...typed, [filter.name]: value })}
              />
            </div>
          ))}
          <div className="filter-actions">
            <Button type="primary" htmlType="submit" icon={<SearchOutlined />}>
              {say('console.list.search')}
            </Button>
            <Button onClick={() => onSearch({})}>{say('console.list.reset')}</Button>
          </div>
        </div>
      )}
    </form>
  )
}
