import type { SessionUser } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Checkbox, Input, Select } from 'antd'
import { useId, useRef, useState } from 'react'
import type { AddressState } from './address.ts'
import { DateField } from './date-field.tsx'
import { useTextOf, useTexts } from './language.tsx'
import { useOptions, type OptionSource } from './listed-options.ts'
import { useNarrow } from './narrow.ts'
import { OrganisationPicker } from './organisation-picker.tsx'
import { PartFailure } from './read-state.tsx'
import { useShortcut } from './shortcuts.ts'

/** A filter of a list, declared as a constant beside its screen; its name is the call's field. */
export type FilterDefinition = {
  name: string
  text: TextKey
  /** Who sees it, and beside which address; everybody always when absent. */
  visible?: (user: SessionUser, state: AddressState) => boolean
} & (
  | { kind: 'text'; maxLength: number }
  /** With `byDefault` there is no "all" but what the values name; it is what an address without the field means. */
  | { kind: 'choice'; values: readonly string[]; valueText: string; byDefault?: string }
  /** Years newest first; the first is what an address without a year means. */
  | { kind: 'year'; years: () => readonly number[] }
  | { kind: 'flag'; yes: TextKey; no: TextKey }
  | { kind: 'date'; limits?: (state: AddressState) => { first: string; last: string } }
  /** On or not at all. */
  | { kind: 'checkbox' }
  /** One of what a call answers. */
  | { kind: 'listed'; source: OptionSource }
  /** What a link brought along and nobody can choose here; it is called by its name, and can be taken away. */
  | { kind: 'given'; sourceOf: (value: string) => OptionSource }
  | { kind: 'merchant' }
  | { kind: 'agent' }
)

/**
 * The filters after one of them was changed: a date that the others no longer allow goes, so that no search is refused
 * for a field that was right when it was filled in.
 */
function changeFilter(
  filters: readonly FilterDefinition[],
  typed: AddressState,
  name: string,
  value: string,
): AddressState {
  const next = { ...typed, [name]: value }
  for (const filter of filters) {
    if (filter.kind !== 'date' || filter.name === name) continue
    const date = next[filter.name]
    const limits = filter.limits?.(next)
    if (date && limits && (date < limits.first || date > limits.last)) delete next[filter.name]
  }
  return next
}

/** The filters as an address has them: what is empty or the default is left out. */
function wantedFilters(filters: readonly FilterDefinition[], typed: AddressState): AddressState {
  return Object.fromEntries(
    filters.flatMap((filter) => {
      const value = (typed[filter.name] ?? '').trim()
      const isDefault =
        (filter.kind === 'year' && value === String(filter.years()[0])) ||
        (filter.kind === 'choice' && value === filter.byDefault)
      return value === '' || isDefault ? [] : [[filter.name, value]]
    }),
  )
}

/**
 * An address without the agent or merchant that its reader cannot choose: whoever has one merchant alone sees nothing
 * else, and what somebody else's address says of it would empty the list and stand in no field.
 */
export function withoutOthers(
  filters: readonly FilterDefinition[],
  user: SessionUser,
  state: AddressState,
): AddressState {
  const isOthers = ({ kind, visible }: FilterDefinition) =>
    (kind === 'merchant' || kind === 'agent') && visible?.(user, state) === false
  const others = new Set(filters.filter(isOthers).map(({ name }) => name))
  return Object.fromEntries(Object.entries(state).filter(([name]) => !others.has(name)))
}

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

function FilterField({ filter, id, state, value, error, onChange }: FieldProps) {
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

interface Props {
  filters: readonly FilterDefinition[]
  user: SessionUser
  state: AddressState
  /** What the server said about fields that it did not take. */
  errors: Record<string, string>
  onSearch: (wanted: AddressState) => void
  /** Back to the bare address. */
  onReset: () => void
  /** Nothing is shown before something is chosen. */
  isNeeded?: boolean
}

/** The collapsible search panel: Enter searches, Reset gives the bare address, `/` leads to the first field. */
export function FilterPanel({ filters, user, state, errors, onSearch, onReset, isNeeded = false }: Props) {
  const say = useTexts()
  const narrow = useNarrow()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const visible = filters.filter(({ visible: isVisible }) => isVisible?.(user, state) ?? true)
  const [typed, setTyped] = useState<AddressState>(state)
  const [shown, setShown] = useState(JSON.stringify(state))
  const [wantsOpen, setOpen] = useState(!narrow)
  // Going back and forth changes the address; the fields follow it.
  if (shown !== JSON.stringify(state)) {
    setShown(JSON.stringify(state))
    setTyped(state)
  }
  const open = wantsOpen || isNeeded || visible.some(({ name }) => errors[name])
  const toggle = useRef<HTMLButtonElement>(null)
  useShortcut('/', () => {
    setOpen(true)
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('.field input')?.focus())
  })
  if (visible.length === 0) return null
  const active = visible.filter(({ name }) => state[name]).length
  return (
    <form
      ref={form}
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(wantedFilters(visible, typed))
        if (!narrow) return
        // The fields are higher than a phone: what was found would stay out of sight.
        setOpen(false)
        toggle.current?.focus()
      }}
    >
      <button
        ref={toggle}
        type="button"
        className="filters-toggle"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}{' '}
        {open ? say('console.list.hideFilters') : say('console.list.showFilters')}
        {active > 0 && <span className="tag tag-busy">{active}</span>}
      </button>
      {open && (
        <div className="filter-grid">
          {visible.map((filter) => (
            <div key={filter.name} className="field">
              {filter.kind === 'checkbox' ? (
                <span className="label-gap" aria-hidden="true" />
              ) : (
                <label htmlFor={`${id}-${filter.name}`}>{say(filter.text)}</label>
              )}
              <FilterField
                filter={filter}
                id={`${id}-${filter.name}`}
                state={typed}
                value={typed[filter.name] ?? ''}
                error={errors[filter.name]}
                onChange={(value) => setTyped(changeFilter(visible, typed, filter.name, value))}
              />
              {errors[filter.name] && (
                <p className="error" role="alert">
                  {errors[filter.name]}
                </p>
              )}
            </div>
          ))}
          <div className="filter-actions">
            <Button type="primary" htmlType="submit" icon={<SearchOutlined aria-hidden />}>
              {say('console.list.search')}
            </Button>
            <Button onClick={onReset}>{say('console.list.reset')}</Button>
          </div>
        </div>
      )}
    </form>
  )
}
