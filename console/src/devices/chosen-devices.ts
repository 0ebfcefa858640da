import type { DeviceRow, UserType } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import type { AddressState } from '../kit/address.ts'

/** A row of the device list, as its table takes it. */
export type ListedDevice = DeviceRow & Record<string, unknown>

/** Devices that were ticked, and the filters when they are all that match these. */
export interface ChosenDevices {
  devices: readonly ListedDevice[]
  matching?: AddressState | undefined
}

/** Why something changes nothing of a device now, or cannot be done with it; the first of several reasons. */
export type WhyNot = (device: ListedDevice, type: UserType) => TextKey | undefined

export interface DeviceDialogProps {
  chosen: ChosenDevices
  /** With which of them it does nothing. */
  whyNot?: WhyNot | undefined
  /** What is left chosen: those with which it failed. */
  onDone: (left: readonly ListedDevice[]) => void
  onClose: () => void
}

/** What all of some devices have, as a field takes it; empty where they differ. */
export function sharedBy(
  devices: readonly ListedDevice[],
  valueOf: (device: ListedDevice) => unknown,
): string {
  const [value, ...others] = new Set(devices.map(valueOf))
  return others.length > 0 ? '' : String(value ?? '')
}
