import {
  deviceAssociations,
  deviceLocks,
  deviceStatuses,
  userTypes,
  type UserType,
} from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import type { ListedDevice, WhyNot } from './chosen-devices.ts'

/** As the server judges a start. */
export const whyNotStart: WhyNot = ({ merchantId, blocked, locked, status, running }) => {
  if (merchantId === null) return 'refusals.deviceUnassigned'
  if (blocked) return 'refusals.deviceBlocked'
  if (locked !== deviceLocks.enabled) return 'refusals.deviceLocked'
  if (status === deviceStatuses.offline) return 'refusals.deviceOffline'
  if (status === deviceStatuses.trouble) return 'refusals.deviceInTrouble'
  return running ? 'refusals.deviceBusy' : undefined
}

export const whyNotStop: WhyNot = ({ controllable, running }) => {
  if (!controllable) return 'refusals.deviceNotControllable'
  return running ? undefined : 'refusals.deviceNotRunning'
}

export const whyNotLock: WhyNot = ({ locked }, type) => {
  const isLocked =
    type === userTypes.admin ? locked === deviceLocks.adminLocked : locked !== deviceLocks.enabled
  return isLocked ? 'devices.why.locked' : undefined
}

export const whyNotUnlock: WhyNot = ({ locked }, type) => {
  if (locked === deviceLocks.enabled) return 'devices.why.notLocked'
  const isAdmins = type !== userTypes.admin && locked === deviceLocks.adminLocked
  return isAdmins ? 'refusals.lockedByAdmin' : undefined
}

export const whyNotBind: WhyNot = ({ merchantId, associated }) => {
  if (merchantId === null) return 'refusals.deviceUnassigned'
  return associated === deviceAssociations.unbound ? undefined : 'devices.why.bound'
}

export const whyNotUnbind: WhyNot = ({ associated }) =>
  associated === deviceAssociations.unbound ? 'devices.why.notBound' : undefined

/** Of what is told to boards alone. */
export const whyNotTell: WhyNot = ({ status }) =>
  status === deviceStatuses.offline ? 'refusals.deviceOffline' : undefined

export const whyNotRemove: WhyNot = ({ running }) => (running ? 'refusals.deviceBusy' : undefined)

/** With how many devices something does nothing, and why. */
export interface LeftAlone {
  reason: TextKey
  count: number
}

/** The devices with which something does nothing, by reason; what holds for most comes first. */
export function leftAloneBy(
  whyNot: WhyNot | undefined,
  devices: readonly ListedDevice[],
  type: UserType,
): LeftAlone[] {
  const counts = new Map<TextKey, number>()
  for (const device of devices) {
    const reason = whyNot?.(device, type)
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((one, other) => other.count - one.count)
}
