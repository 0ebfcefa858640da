import type { MenuAction } from '../kit/action-menu.tsx'
import { useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { useMay } from '../kit/user.ts'
import { useViewGoods } from './view-goods.ts'

const OnlineRecord = lazyDialog(() => import('./online-record.tsx').then((module) => module.OnlineRecord))
const LogDialog = lazyDialog(() => import('./log-dialog.tsx').then((module) => module.LogDialog))

/** A record of one device that is looked at. */
export interface ShownRecord {
  deviceId: string
  Dialog: typeof OnlineRecord | typeof LogDialog
}

/** What can be looked at of a device: its records, and the page that its customers see. */
export function useDeviceRecords(onShow: (record: ShownRecord) => void): (deviceId: string) => MenuAction[] {
  const say = useTexts()
  const may = useMay()
  const viewGoods = useViewGoods()
  return (deviceId) => [
    ...(may('device.online')
      ? [
          {
            key: 'online',
            text: say('console.devices.online'),
            act: () => onShow({ deviceId, Dialog: OnlineRecord }),
          },
        ]
      : []),
    ...(may('device.log')
      ? [
          {
            key: 'log',
            text: say('devices.logDialog.open'),
            act: () => onShow({ deviceId, Dialog: LogDialog }),
          },
        ]
      : []),
    { key: 'goods', text: say('devices.viewGoods.open'), act: () => void viewGoods(deviceId) },
  ]
}
