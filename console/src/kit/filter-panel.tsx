import type { SessionUser } from '@chairside/contract'
import { DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useId, useRef, useState } from 'react'
import type { AddressState } from './address.ts'
import { changeFilter, wantedFilters, type FilterDefinition } from './filter.ts'
import { FilterField } from './filter-field.tsx'
import { useTexts } from './language.tsx'
import { useNarrow } from './narrow.ts'
import { useShortcut } from './shortcuts.ts'

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
