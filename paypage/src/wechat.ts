/** What WeChat's browser gives a page (JSAPI). */
interface WeixinBridge {
  invoke(name: string, parameters: Record<string, string>, done: (result: { err_msg: string }) => void): void
}
declare global {
  interface Window {
    WeixinJSBridge?: WeixinBridge
  }
}

export const isInWeChat = () => /MicroMessenger/i.test(navigator.userAgent)

function bridge(): Promise<WeixinBridge> {
  if (window.WeixinJSBridge) return Promise.resolve(window.WeixinJSBridge)
  return new Promise((resolve) => {
    document.addEventListener(
      'WeixinJSBridgeReady',
      () => window.WeixinJSBridge && resolve(window.WeixinJSBridge),
      {
        once: true,
      },
    )
  })
}

/** By then its window covers the page, or does not come at all; nobody is kept from pressing again, or from giving up. */
const patienceMs = 5000

/** Opens WeChat's payment window. What it answers is a hint only: "paid" comes from our server. */
export async function payInWeChat(parameters: Record<string, string>): Promise<void> {
  const pay = async () => {
    const weixin = await bridge()
    await new Promise<void>((resolve) => weixin.invoke('getBrandWCPayRequest', parameters, () => resolve()))
  }
  await Promise.race([pay(), new Promise((resolve) => setTimeout(resolve, patienceMs))])
}
