import { userTypes, type SessionUser } from '@chairside/contract'
import { expect, it } from 'vitest'
import { withoutUnseen } from '../kit/filter.ts'
import { deviceFilters, newDevicesAsMerchant } from './device-filters.ts'

const address = { new: '1', merchantid: '5', placeid: '7', templateid: '8', locked: '1' }

it.each([
  ['admin', { new: '1', placeid: '7', locked: '1' }, { merchantid: '0', new: undefined }],
  ['agent', { merchantid: '5', placeid: '7', locked: '1' }, { new: undefined }],
  ['merchant', { placeid: '7', templateid: '8', locked: '1' }, { new: undefined }],
] as const)(
  'an address narrows the devices of an %s by nothing that has no field',
  (who, narrowed, asked) => {
    const user = { type: userTypes[who] } as SessionUser
    const wanted = withoutUnseen(deviceFilters, user, address)
    expect(wanted).toEqual(narrowed)
    expect(newDevicesAsMerchant(wanted)).toEqual(asked)
  },
)

it.each([
  ['admin', '2', { locked: '2' }],
  ['merchant', '2', {}],
  ['merchant', '1', { locked: '1' }],
  // The call says that there is no such value.
  ['merchant', 'x', { locked: 'x' }],
] as const)('an %s keeps locked=%s in an address unless only others can choose it', (who, locked, wanted) => {
  const user = { type: userTypes[who] } as SessionUser
  expect(withoutUnseen(deviceFilters, user, { locked })).toEqual(wanted)
})
