import { expect, it } from 'vitest'
import { sharedBy, type ListedDevice } from './chosen-devices.ts'

const at = (...places: (number | null)[]) => places.map((placeId) => ({ placeId }) as ListedDevice)
const placeOf = (device: ListedDevice) => device.placeId

it('a form begins with what all of the devices have, and with nothing where they differ', () => {
  expect(sharedBy(at(7, 7), placeOf)).toBe('7')
  expect(sharedBy(at(7, 8), placeOf)).toBe('')
  expect(sharedBy(at(7, null), placeOf)).toBe('')
  expect(sharedBy(at(null), placeOf)).toBe('')
})
