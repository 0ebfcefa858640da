import type { IncomingNotice, NoticeCheck } from '../payment-adapter.ts'
import { clockToleranceSeconds, type WechatClient } from './wechat-client.ts'
import type { WechatSettings } from './wechat-settings.ts'
import { isSignedBy, openResource } from './wechat-signing.ts'
import { NoticeBody, paymentStateOf, Refund, refundStateOf, Transaction } from './wechat-wire.ts'

const headerOf = (notice: IncomingNotice, name: string): string => {
  const value = notice.headers[name]
  return typeof value === 'string' ? value : ''
}

/** WeChat sends such signatures to see whether they are checked at all. */
const probePrefix = 'WECHATPAY/SIGNTEST/'

/** Proves a notice: four headers, fresh, a known key, a right signature, openable, about this merchant. */
export async function checkWechatNotice(
  notice: IncomingNotice,
  settings: WechatSettings,
  client: WechatClient,
): Promise<NoticeCheck> {
  const refused = (reason: Extract<NoticeCheck, { verified: false }>['reason']): NoticeCheck => ({
    verified: false,
    reason,
  })
  const timestamp = headerOf(notice, 'wechatpay-timestamp')
  const nonce = headerOf(notice, 'wechatpay-nonce')
  const signature = headerOf(notice, 'wechatpay-signature')
  const serial = headerOf(notice, 'wechatpay-serial')
  if (!timestamp || !nonce || !signature || !serial) return refused('unsigned')
  if (signature.startsWith(probePrefix)) return refused('probe')
  const age = Math.abs(notice.now.getTime() / 1000 - Number(timestamp))
  if (!(age < clockToleranceSeconds)) return refused('stale')
  const key = await client.platformKey(serial)
  if (!key) return refused('unknownKey')
  if (!isSignedBy(key, { timestamp, nonce, body: notice.body, signature })) return refused('forged')

  let event: ReturnType<typeof NoticeBody.safeParse>
  let plain: unknown
  try {
    event = NoticeBody.safeParse(JSON.parse(notice.body.toString()))
    if (!event.success) return refused('broken')
    plain = JSON.parse(openResource(settings.apiV3Key, event.data.resource))
  } catch {
    return refused('broken')
  }
  const { id: noticeId, event_type: type } = event.data
  if (type.startsWith('TRANSACTION.')) {
    const transaction = Transaction.safeParse(plain)
    if (!transaction.success) return refused('broken')
    if (!isOurs(transaction.data, settings)) return refused('foreign')
    return {
      verified: true,
      notice: { kind: 'payment', noticeId, payment: paymentStateOf(transaction.data) },
    }
  }
  if (type.startsWith('REFUND.')) {
    const refund = Refund.safeParse(plain)
    if (!refund.success) return refused('broken')
    if (!isOurs(refund.data, settings)) return refused('foreign')
    return {
      verified: true,
      notice: {
        kind: 'refund',
        noticeId,
        refund: refundStateOf(refund.data),
        outTradeNo: refund.data.out_trade_no,
      },
    }
  }
  return refused('notOurs')
}

/** Whether it is about our merchant and, where it says, our app. */
export function isOurs(
  about: {
    mchid?: string | undefined
    appid?: string | undefined
    sp_mchid?: string | undefined
    sp_appid?: string | undefined
    sub_mchid?: string | undefined
  },
  settings: WechatSettings,
): boolean {
  const appId = settings.partner ? about.sp_appid : about.appid
  if (appId !== undefined && appId !== settings.appId) return false
  return settings.partner
    ? about.sp_mchid === settings.mchId && about.sub_mchid === settings.partner.subMchId
    : about.mchid === settings.mchId
}
