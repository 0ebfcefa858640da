import type { UserType } from '@chairside/contract'
import type { MenuAction } from '../kit/action-menu.tsx'
import { useTexts, type Say } from '../kit/language.tsx'
import { useMay, useUser } from '../kit/user.ts'
import type { ChosenDevices, ListedDevice } from './chosen-devices.ts'
import { deviceActions, type DeviceAction } from './device-actions.ts'
import { leftAloneBy } from './why-not.ts'

/** Opens the dialog of an action with devices. */
export type OpenDialog = (action: DeviceAction, chosen: ChosenDevices) => void

function reasonOf(
  action: DeviceAction,
  devices: readonly ListedDevice[],
  type: UserType,
  say: Say,
): string | undefined {
  if (action.isForOne && devices.length > 1) return say('devices.why.onlyOne')
  const leftAlone = leftAloneBy(action.whyNot, devices, type)
  const [most] = leftAlone
  const isForNone = leftAlone.reduce((sum, { count }) => sum + count, 0) === devices.length
  return most && isForNone ? say(most.reason) : undefined
}

/** What the user may do with some devices; what cannot be done with them now says why. */
export function useDeviceMenu(onOpen: OpenDialog): (chosen: ChosenDevices) => MenuAction[] {
  const say = useTexts()
  const may = useMay()
  const { type } = useUser()
  return (chosen) =>
    deviceActions
      .filter(({ needs, types }) => may(needs) && (types === undefined || types.includes(type)))
      .map((action) => ({
        key: action.key,
        text: say(action.text),
        danger: action.danger ?? false,
        disabledBecause: reasonOf(action, chosen.devices, type, say),
        act: () => onOpen(action, chosen),
      }))
}
