import type { DeviceRow } from '@chairside/contract'
import type { AddressState } from '../kit/address.ts'

/** A row of the device list, as its table takes it. */
export type ListedDevice = DeviceRow & Record<string, unknown>

/** Devices that were ticked, and the filters when they are all that match these. */
export interface ChosenDevices {
  devices: readonly ListedDevice[]
  matching?: AddressState | undefined
}

export interface DeviceDialogProps {
  chosen: ChosenDevices
  /** What is left chosen: those with which it failed. */
  onDone: (left: readonly ListedDevice[]) => void
  onClose: () => void
}
