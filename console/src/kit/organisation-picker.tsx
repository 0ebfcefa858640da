import { searchMinLength, searchOrganisations, type OrganisationFound } from '@chairside/contract'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useRef, useState } from 'react'
import { call } from './call.ts'
import { useTexts } from './language.tsx'

interface Props {
  id?: string
  kind: 'agent' | 'merchant'
  /** An id as text, empty for none. */
  value: string
  onChange: (id: string) => void
}

const chainOf = (found: OrganisationFound) => found.chain.map(({ name }) => name).join(' › ')

/** Finds a merchant or an agent by name or user name; asks from two characters, and not while an input method composes. */
export function OrganisationPicker({ id, kind, value, onChange }: Props) {
  const say = useTexts()
  const [typed, setTyped] = useState('')
  const composing = useRef(false)
  const wanted = useDeferredValue(typed.trim())
  const isLongEnough = wanted.length >= searchMinLength
  const type = kind === 'agent' ? '1' : '2'
  const search = useQuery({
    queryKey: ['organisations', type, wanted],
    enabled: isLongEnough,
    queryFn: async ({ signal }) => {
      const byName = await call(searchOrganisations, { username: wanted, type }, signal)
      return byName.length > 0 ? byName : call(searchOrganisations, { userid: wanted, type }, signal)
    },
  })
  const options = (isLongEnough ? (search.data ?? []) : []).map((found) => ({
    value: String(found.id),
    label: `${found.name} (${found.userId})`,
    title: chainOf(found),
  }))
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
        showSearch={{ filterOption: false, onSearch: (text) => !composing.current && setTyped(text) }}
        value={value === '' ? null : value}
        options={options}
        loading={search.isFetching}
        style={{ width: '100%' }}
        notFoundContent={
          isLongEnough
            ? say('console.header.nothingFound')
            : say('console.form.searchFrom', { min: searchMinLength })
        }
        onChange={(next) => onChange(next ?? '')}
      />
    </span>
  )
}
