import { showDevice } from '@chairside/contract'
import { App } from 'antd'
import { call } from '../kit/call.ts'
import { useTexts } from '../kit/language.tsx'

/** Size of the window that plays a customer's phone (spec 2 §7). */
const size = 'popup,width=750,height=640'

/** Opens the customer page of a device in a window of its own. */
export function useViewGoods(): (deviceId: string) => Promise<void> {
  const say = useTexts()
  const { message } = App.useApp()
  return async (deviceId) => {
    // Opened while the click is under way; later the browser would take it for an advertisement.
    const page = window.open('', '_blank', size)
    try {
      const address = await call(showDevice, { deviceId })
      if (page) page.location.href = address
      else void message.warning(say('devices.viewGoods.blocked'))
    } catch (error) {
      page?.close()
      void message.error(say('console.form.failed', { reason: (error as Error).message }))
    }
  }
}
