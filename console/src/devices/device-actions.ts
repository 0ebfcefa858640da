import {
  deviceAssociations,
  deviceLocks,
  deviceStatuses,
  userTypes,
  type PermissionKey,
  type UserType,
} from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import type { ComponentType } from 'react'
import { lazyDialog } from '../kit/lazy-part.tsx'
import type { DeviceDialogProps, ListedDevice } from './chosen-devices.ts'

/** Something that can be done with devices: from the toolbar with those ticked, from a row with that one. */
export interface DeviceAction {
  key: string
  text: TextKey
  needs: PermissionKey
  /** User types that have it; all when absent. */
  types?: readonly UserType[]
  /** For one device at a time. */
  isForOne?: boolean
  danger?: boolean
  /** Why it cannot be done with these devices now; the first of several reasons. */
  disabledBecause?: (devices: readonly ListedDevice[], type: UserType) => TextKey | undefined
  Dialog: ComponentType<DeviceDialogProps>
}

const dialogs = {
  QrCodes: lazyDialog(() => import('./qr-codes-dialog.tsx').then((module) => module.QrCodesDialog)),
  Edit: lazyDialog(() => import('./edit-dialog.tsx').then((module) => module.EditDialog)),
  Move: lazyDialog(() => import('./move-dialog.tsx').then((module) => module.MoveDialog)),
  LinkPlace: lazyDialog(() => import('./place-dialog.tsx').then((module) => module.PlaceDialog)),
  Wifi: lazyDialog(() => import('./wifi-dialog.tsx').then((module) => module.WifiDialog)),
  Start: lazyDialog(() => import('./work-dialogs.tsx').then((module) => module.StartDialog)),
  Stop: lazyDialog(() => import('./work-dialogs.tsx').then((module) => module.StopDialog)),
  BindGoods: lazyDialog(() => import('./goods-dialog.tsx').then((module) => module.GoodsDialog)),
  Lock: lazyDialog(() => import('./lock-dialog.tsx').then((module) => module.LockDialog)),
  Unlock: lazyDialog(() => import('./lock-dialog.tsx').then((module) => module.UnlockDialog)),
  Bind: lazyDialog(() => import('./bind-dialog.tsx').then((module) => module.BindDialog)),
  Unbind: lazyDialog(() => import('./bind-dialog.tsx').then((module) => module.UnbindDialog)),
  RenewPassword: lazyDialog(() =>
    import('./renew-password-dialog.tsx').then((module) => module.RenewPasswordDialog),
  ),
  Remove: lazyDialog(() => import('./remove-dialog.tsx').then((module) => module.RemoveDialog)),
}

const every = (devices: readonly ListedDevice[], holds: (device: ListedDevice) => boolean) =>
  devices.length > 0 && devices.every(holds)

const isOffline = ({ status }: ListedDevice) => status === deviceStatuses.offline

/** All of them in the order of the toolbar; who may do what is decided by the permission keys (spec 2 §6). */
export const deviceActions: readonly DeviceAction[] = [
  { key: 'edit', text: 'devices.action.edit', needs: 'device.edit', isForOne: true, Dialog: dialogs.Edit },
  { key: 'move', text: 'devices.action.move', needs: 'device.move', Dialog: dialogs.Move },
  {
    key: 'linkPlace',
    text: 'devices.action.linkPlace',
    needs: 'device.linkplace',
    Dialog: dialogs.LinkPlace,
  },
  { key: 'bindGoods', text: 'devices.action.bindGoods', needs: 'device.goods', Dialog: dialogs.BindGoods },
  {
    key: 'start',
    text: 'devices.action.start',
    needs: 'device.massage',
    disabledBecause: (devices) => {
      if (every(devices, isOffline)) return 'refusals.deviceOffline'
      return every(devices, ({ running }) => running) ? 'refusals.deviceBusy' : undefined
    },
    Dialog: dialogs.Start,
  },
  {
    key: 'stop',
    text: 'devices.action.stop',
    needs: 'device.massage',
    disabledBecause: (devices) => {
      if (every(devices, ({ controllable }) => !controllable)) return 'refusals.deviceNotControllable'
      return every(devices, ({ running }) => !running) ? 'refusals.deviceNotRunning' : undefined
    },
    Dialog: dialogs.Stop,
  },
  {
    key: 'wifi',
    text: 'devices.action.wifi',
    needs: 'device.wifi',
    disabledBecause: (devices) => (every(devices, isOffline) ? 'refusals.deviceOffline' : undefined),
    Dialog: dialogs.Wifi,
  },
  {
    key: 'lock',
    text: 'devices.action.lock',
    needs: 'device.lock',
    disabledBecause: (devices, type) =>
      every(devices, ({ locked }) =>
        type === userTypes.admin ? locked === deviceLocks.adminLocked : locked !== deviceLocks.enabled,
      )
        ? 'devices.why.locked'
        : undefined,
    Dialog: dialogs.Lock,
  },
  {
    key: 'unlock',
    text: 'devices.action.unlock',
    needs: 'device.lock',
    disabledBecause: (devices, type) => {
      if (every(devices, ({ locked }) => locked === deviceLocks.enabled)) return 'devices.why.notLocked'
      const isAdmins = ({ locked }: ListedDevice) => locked === deviceLocks.adminLocked
      return type !== userTypes.admin && every(devices, isAdmins) ? 'refusals.lockedByAdmin' : undefined
    },
    Dialog: dialogs.Unlock,
  },
  {
    key: 'bind',
    text: 'devices.action.bind',
    needs: 'device.bind',
    disabledBecause: (devices) => {
      if (every(devices, ({ merchantId }) => merchantId === null)) return 'refusals.deviceUnassigned'
      const isBound = ({ associated }: ListedDevice) => associated !== deviceAssociations.unbound
      return every(devices, isBound) ? 'devices.why.bound' : undefined
    },
    Dialog: dialogs.Bind,
  },
  {
    key: 'unbind',
    text: 'devices.action.unbind',
    needs: 'device.bind',
    disabledBecause: (devices) =>
      every(devices, ({ associated }) => associated === deviceAssociations.unbound)
        ? 'devices.why.notBound'
        : undefined,
    Dialog: dialogs.Unbind,
  },
  { key: 'qrCodes', text: 'stickers.action', needs: 'device.qrcode', Dialog: dialogs.QrCodes },
  {
    key: 'renewPassword',
    text: 'devices.action.renewPassword',
    needs: 'device.add',
    types: [userTypes.admin],
    danger: true,
    Dialog: dialogs.RenewPassword,
  },
  {
    key: 'remove',
    text: 'devices.action.remove',
    needs: 'device.edit',
    types: [userTypes.admin],
    danger: true,
    disabledBecause: (devices) =>
      every(devices, ({ running }) => running) ? 'refusals.deviceBusy' : undefined,
    Dialog: dialogs.Remove,
  },
]
