import type { IncomePart } from '@chairside/contract'
import type { AddressState } from '../kit/address.ts'

/** The address with the lines of a day open; without a part they are those of its whole income. */
export const withLines = (state: AddressState, day: string, part: IncomePart | ''): AddressState => ({
  ...withoutLines(state),
  day,
  part,
})

export function withoutLines(state: AddressState): AddressState {
  const { day: _day, part: _part, page: _page, pagesize: _size, ...report } = state
  return report
}
