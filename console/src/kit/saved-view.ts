import { formatAddress, parseAddress, type AddressState } from './address.ts'

/** What of an address a view keeps: all but the number of the page, in an order of its own. */
export function viewQueryOf({ page: _page, ...kept }: AddressState): string {
  const fields = Object.entries(kept).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return formatAddress(Object.fromEntries(fields)).slice(1)
}

/** Whether a kept query and an address show the same, whatever the order of their fields and the page. */
export const isSameView = (query: string, state: AddressState): boolean =>
  viewQueryOf(parseAddress(query)) === viewQueryOf(state)
