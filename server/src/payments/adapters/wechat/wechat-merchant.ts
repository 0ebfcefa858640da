import type { WechatSettings } from './wechat-settings.ts'
import type { Refund, Transaction } from './wechat-wire.ts'

/* How a direct merchant and a service provider name themselves in requests, and how they know what is about them. */

/** The merchant alone: of closing and of queries. */
export const merchantNames = ({ mchId, partner }: WechatSettings): Record<string, string> =>
  partner ? { sp_mchid: mchId, sub_mchid: partner.subMchId } : { mchid: mchId }

/** Merchant and app: of orders. */
export const orderNames = (settings: WechatSettings): Record<string, string> => ({
  ...(settings.partner ? { sp_appid: settings.appId } : { appid: settings.appId }),
  ...merchantNames(settings),
})

/** Refunds take the path of a direct merchant, and name the sub-merchant besides. */
export const refundNames = ({ partner }: WechatSettings): Record<string, string> =>
  partner ? { sub_mchid: partner.subMchId } : {}

/** Whether a payment is about our merchant and, where it says, our app. */
export function isOurPayment(told: Transaction, settings: WechatSettings): boolean {
  const appId = settings.partner ? told.sp_appid : told.appid
  return (appId === undefined || appId === settings.appId) && isOurMerchant(told, settings)
}

/** Whether a refund notice is about our merchant; it names no app. */
export const isOurRefund = (told: Refund, settings: WechatSettings): boolean => isOurMerchant(told, settings)

function isOurMerchant(told: Transaction | Refund, { mchId, partner }: WechatSettings): boolean {
  return partner
    ? told.sp_mchid === mchId && told.sub_mchid === partner.subMchId
    : told.mchid === mchId && told.sp_mchid === undefined
}
