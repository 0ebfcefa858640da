import { searchOrganisations } from '@chairside/contract'
import { joinWords } from '@chairside/contract/locales/languages'
import type { AddressState } from '../kit/address.ts'
import { useRead } from '../kit/call.ts'
import { Facts } from '../kit/facts.tsx'
import type { FilterDefinition } from '../kit/filter.ts'
import { formatCount } from '../kit/formats.ts'
import { useOptions, type OptionSource } from '../kit/listed-options.ts'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { useUser } from '../kit/user.ts'
import type { ChosenDevices, WhyNot } from './chosen-devices.ts'
import { deviceFilters } from './device-filters.ts'
import { leftAloneBy } from './why-not.ts'
import './devices.css'

/** Device ids told by name; of more, the first of them. */
const mostNamed = 12

interface Props {
  chosen: ChosenDevices
  whyNot?: WhyNot | undefined
}

/**
 * How many devices something will be done with, by which filter they were chosen, the first of them, and how many it
 * leaves as they are.
 */
export function ChosenSummary({ chosen: { devices, matching }, whyNot }: Props) {
  const say = useTexts()
  const { type } = useUser()
  const { language } = useLanguage()
  const named = devices.slice(0, mostNamed).map(({ deviceId }) => deviceId)
  const more = devices.length - named.length
  return (
    <section className="chosen-devices" aria-label={say('devices.dialog.chosen')}>
      <strong>{say('devices.dialog.count', { count: formatCount(devices.length, language) })}</strong>
      {matching && <MatchingFilters matching={matching} />}
      <p className="hint">
        {joinWords(named, language)}
        {more > 0 && ` ${say('devices.dialog.andMore', { count: formatCount(more, language) })}`}
      </p>
      {leftAloneBy(whyNot, devices, type).map(({ reason, count }) => (
        <p key={reason}>
          {say('devices.dialog.leftAlone', { count: formatCount(count, language), reason: say(reason) })}
        </p>
      ))}
    </section>
  )
}

function MatchingFilters({ matching }: { matching: AddressState }) {
  const say = useTexts()
  const user = useUser()
  const used = deviceFilters.filter(
    ({ name, visible }) => matching[name] && (visible?.(user, matching) ?? true),
  )
  if (used.length === 0) return <p>{say('devices.dialog.allThereAre')}</p>
  return (
    <>
      <p>{say('devices.dialog.matching')}</p>
      <Facts
        facts={used.map((filter) => [
          say(filter.text),
          <FilterValue key={filter.name} filter={filter} value={matching[filter.name] ?? ''} />,
        ])}
      />
    </>
  )
}

function FilterValue({ filter, value }: { filter: FilterDefinition; value: string }) {
  const say = useTexts()
  const textOf = useTextOf()
  switch (filter.kind) {
    case 'choice':
      return textOf(`${filter.valueText}.${value}`)
    case 'flag':
      return say(value === '1' ? filter.yes : filter.no)
    case 'checkbox':
      return say('console.devices.yes')
    case 'listed':
      return <ListedName source={filter.source} value={value} />
    case 'given':
      return <ListedName source={filter.sourceOf(value)} value={value} />
    case 'merchant':
    case 'agent':
      return <OrganisationName kind={filter.kind} id={value} />
    default:
      return value
  }
}

function ListedName({ source, value }: { source: OptionSource; value: string }) {
  return useOptions(source).options.find((option) => option.value === value)?.label ?? value
}

function OrganisationName({ kind, id }: { kind: 'merchant' | 'agent'; id: string }) {
  const read = useRead(searchOrganisations, { merchantid: id, type: kind === 'agent' ? '1' : '2' })
  return read.data?.find((one) => String(one.id) === id)?.name ?? id
}
