import { userTypes, type PermissionKey, type UserType } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import type { ComponentType } from 'react'
import { lazyDialog } from '../kit/lazy-part.tsx'
import type { DeviceDialogProps, WhyNot } from './chosen-devices.ts'
import {
  whyNotBind,
  whyNotLock,
  whyNotRemove,
  whyNotStart,
  whyNotStop,
  whyNotTell,
  whyNotUnbind,
  whyNotUnlock,
} from './why-not.ts'

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
  whyNot?: WhyNot
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
    whyNot: whyNotStart,
    Dialog: dialogs.Start,
  },
  {
    key: 'stop',
    text: 'devices.action.stop',
    needs: 'device.massage',
    whyNot: whyNotStop,
    Dialog: dialogs.Stop,
  },
  {
    key: 'wifi',
    text: 'devices.action.wifi',
    needs: 'device.wifi',
    whyNot: whyNotTell,
    Dialog: dialogs.Wifi,
  },
  {
    key: 'lock',
    text: 'devices.action.lock',
    needs: 'device.lock',
    whyNot: whyNotLock,
    Dialog: dialogs.Lock,
  },
  {
    key: 'unlock',
    text: 'devices.action.unlock',
    needs: 'device.lock',
    whyNot: whyNotUnlock,
    Dialog: dialogs.Unlock,
  },
  {
    key: 'bind',
    text: 'devices.action.bind',
    needs: 'device.bind',
    whyNot: whyNotBind,
    Dialog: dialogs.Bind,
  },
  {
    key: 'unbind',
    text: 'devices.action.unbind',
    needs: 'device.bind',
    whyNot: whyNotUnbind,
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
    whyNot: whyNotRemove,
    Dialog: dialogs.Remove,
  },
]
