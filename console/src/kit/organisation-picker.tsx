import { searchMinLength, searchOrganisations, type OrganisationFound } from '@chairside/contract'
import { Select } from 'antd'
import { useRef, useState } from 'react'
import { useRead } from './call.ts'
import { useTexts } from './language.tsx'
import { PartFailure } from './read-state.tsx'
import { useSettled } from './settled.ts'

interface Props {
  id?: string
  kind: 'agent' | 'merchant'
  /** An id as text, empty for none. */
  value: string
  disabled?: boolean
  onChange: (id: string) => void
}

const typingPauseMs = 250

const optionOf = (found: OrganisationFound) => ({
  value: String(found.id),
  label: `${found.name} (${found.userId})`,
  title: [...found.chain.map(({ name }) => name), found.name].join(' › '),
})

/**
 * Finds a merchant or an agent by name or user name; asks from two characters, and not while an input method composes.
 * An id that came with the address is shown by its name too.
 */
export function OrganisationPicker({ id, kind, value, disabled = false, onChange }: Props) {
  const say = useTexts()
  const [typed, setTyped] = useState('')
  const composing = useRef(false)
  const wanted = useSettled(typed.trim(), typingPauseMs)
  const isLongEnough = wanted.length >= searchMinLength
  const type = kind === 'agent' ? '1' : '2'
  const byName = useRead(searchOrganisations, { username: wanted, type }, isLongEnough)
  const byUserName = useRead(searchOrganisations, { userid: wanted, type }, isLongEnough)
  const chosen = useRead(searchOrganisations, { merchantid: value, type }, /^\d+$/.test(value))

  const found = isLongEnough ? [...(byName.data ?? []), ...(byUserName.data ?? [])] : []
  const offered = [...new Map(found.map((one) => [one.id, one])).values()].map(optionOf)
  const known = value === '' ? [] : (chosen.data ?? []).filter((one) => String(one.id) === value)
  const isSearching = typed.trim() !== wanted || byName.isFetching || byUserName.isFetching
  const failed = [byName, byUserName].filter(({ isError }) => isError)
  const notFound = () => {
    if (!isLongEnough) return say('console.form.searchFrom', { min: searchMinLength })
    if (isSearching) return say('console.form.searching')
    const [first] = failed
    if (!first) return say('console.header.nothingFound')
    const searchAgain = () => failed.forEach((search) => void search.refetch())
    return <PartFailure read={{ error: first.error, refetch: searchAgain }} />
  }
  return (
    <span
      onCompositionStart={() => (composing.current = true)}
      onCompositionEnd={(event) => {
        composing.current = false
        setTyped((event.target as HTMLInputElement).value)
      }}
    >
      <Select
        {...(id ? { id } : {})}
        allowClear
        disabled={disabled}
        showSearch={{ filterOption: false, onSearch: (text) => !composing.current && setTyped(text) }}
        value={value === '' ? null : value}
        options={offered.length > 0 ? offered : known.map(optionOf)}
        loading={isLongEnough && isSearching}
        className="whole-width"
        placeholder={say('console.form.searchFor')}
        notFoundContent={notFound()}
        labelRender={({ label, value: id }) =>
          label ?? known.map((one) => optionOf(one).label)[0] ?? String(id)
        }
        onChange={(next) => onChange(next ?? '')}
      />
    </span>
  )
}
