import { userTypes, type UserType } from '@chairside/contract'
import { expect, it } from 'vitest'
import type { ListedDevice } from './chosen-devices.ts'
import { deviceActions } from './device-actions.ts'
import { leftAloneBy } from './why-not.ts'

const able = {
  merchantId: 1,
  blocked: false,
  locked: 0,
  status: 1,
  running: false,
  controllable: true,
  associated: 1,
}
const devices = (...differing: Partial<typeof able>[]) =>
  differing.map((differs) => ({ ...able, ...differs }) as unknown as ListedDevice)

const leftAlone = (key: string, chosen: readonly ListedDevice[], type: UserType = userTypes.merchant) => {
  const action = deviceActions.find((one) => one.key === key)
  return action
    ? leftAloneBy(action.whyNot, chosen, type).map(({ reason, count }) => `${reason} ${count}`)
    : []
}

it('an action tells of how many of the chosen devices it leaves alone, and why, most of them first', () => {
  const mixed = devices({}, { running: true }, { status: 2 }, { status: 2, running: true }, { locked: 1 })
  expect(leftAlone('start', mixed)).toEqual([
    'refusals.deviceOffline 2',
    'refusals.deviceBusy 1',
    'refusals.deviceLocked 1',
  ])
  expect(leftAlone('stop', mixed)).toEqual(['refusals.deviceNotRunning 3'])
  expect(leftAlone('move', mixed)).toEqual([])
})

it('a lock of an admin is one to lift for admins only, and to them a merchant’s is none yet', () => {
  const locked = devices({ locked: 1 }, { locked: 2 })
  expect(leftAlone('unlock', locked)).toEqual(['refusals.lockedByAdmin 1'])
  expect(leftAlone('unlock', locked, userTypes.admin)).toEqual([])
  expect(leftAlone('lock', locked)).toEqual(['devices.why.locked 2'])
  expect(leftAlone('lock', locked, userTypes.admin)).toEqual(['devices.why.locked 1'])
})
