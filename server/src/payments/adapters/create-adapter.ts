import type { PaymentAdapter } from './payment-adapter.ts'
import { createWechatAdapter } from './wechat/wechat-adapter.ts'
import { WechatDirectSettings, WechatPartnerSettings, type WechatSettings } from './wechat/wechat-settings.ts'

/** Providers there is an adapter for, by the names of pay channels, with what their settings must be. */
const providers = {
  wechatPay: WechatDirectSettings,
  wechatServerPay: WechatPartnerSettings,
}
export type ServedProvider = keyof typeof providers

export const isServed = (provider: string): provider is ServedProvider => Object.hasOwn(providers, provider)

/** Reads the settings of a channel and opens its provider. @throws ZodError naming the settings that do not fit */
export function createAdapter(
  provider: ServedProvider,
  settings: unknown,
): { settings: WechatSettings; adapter: PaymentAdapter } {
  const read = providers[provider].parse(settings)
  return { settings: read, adapter: createWechatAdapter(read) }
}
