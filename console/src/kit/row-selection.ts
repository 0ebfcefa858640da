import type { AddressState } from './address.ts'

/** Rows that were ticked, by their keys; they stay chosen when other pages or filters are looked at. */
export interface RowSelection<R> {
  chosen: ReadonlyMap<string, R>
  /** `matching` are the filters of a list of which every row was chosen at once. */
  onChange: (chosen: ReadonlyMap<string, R>, matching?: AddressState) => void
  /** Whether all rows that match can be chosen at once, on whatever page. */
  offersAll?: boolean
}

/** The choice with some rows ticked or cleared. */
export function chooseRows<R>(
  chosen: ReadonlyMap<string, R>,
  rows: readonly R[],
  keyOf: (row: R) => string,
  isOn: boolean,
): ReadonlyMap<string, R> {
  const next = new Map(chosen)
  for (const row of rows) {
    if (isOn) next.set(keyOf(row), row)
    else next.delete(keyOf(row))
  }
  return next
}
