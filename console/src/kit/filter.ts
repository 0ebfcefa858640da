import type { SessionUser } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import type { AddressState } from './address.ts'
import type { OptionSource } from './listed-options.ts'

/** A filter of a list, declared as a constant beside its screen; its name is the call's field. */
export type FilterDefinition = {
  name: string
  text: TextKey
  /** Who sees it, and beside which address; everybody always when absent. */
  visible?: (user: SessionUser, state: AddressState) => boolean
} & (
  | {
      kind: 'text'
      maxLength: number
      /** Longer than most words, and seen whole all the same. */
      isId?: true
    }
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
export function changeFilter(
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
export function wantedFilters(filters: readonly FilterDefinition[], typed: AddressState): AddressState {
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

const offers = (filter: FilterDefinition, value: string) =>
  filter.kind !== 'choice' || filter.values.includes(value)

/**
 * An address without what its reader has no field for, or could not choose in it: somebody else's would narrow or empty
 * the list by a filter that is not shown, or not in words, and cannot be taken away.
 */
export function withoutUnseen(
  filters: readonly FilterDefinition[],
  user: SessionUser,
  state: AddressState,
): AddressState {
  const isSeen = ({ visible }: FilterDefinition) => visible?.(user, state) ?? true
  const isForOthers = (name: string, value: string) => {
    // One field may be declared several times, each for others.
    const declared = filters.filter((filter) => filter.name === name)
    const seen = declared.filter(isSeen)
    if (seen.length === 0) return declared.length > 0
    return !seen.some((filter) => offers(filter, value)) && declared.some((filter) => offers(filter, value))
  }
  return Object.fromEntries(Object.entries(state).filter(([name, value]) => !isForOthers(name, value)))
}
