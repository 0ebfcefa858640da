import type { IncomingNotice, NoticeCheck } from '../payment-adapter.ts'
import { isFresh, type WechatKeys } from './wechat-keys.ts'
import { isOurPayment, isOurRefund } from './wechat-merchant.ts'
import type { WechatSettings } from './wechat-settings.ts'
import { openResource } from './wechat-signing.ts'
import {
  isWhole,
  NoticeBody,
  paymentStateOf,
  Refund,
  refundStateOf,
  ShareNotice,
  Transaction,
} from './wechat-wire.ts'

const headerOf = (notice: IncomingNotice, name: string): string => {
  const value = notice.headers[name]
  return typeof value === 'string' ? value : ''
}

/** WeChat sends such signatures to see whether they are checked at all. */
const probePrefix = 'WECHATPAY/SIGNTEST/'

type Refusal = Extract<NoticeCheck, { verified: false }>

const refused = (reason: Refusal['reason']): Refusal => ({ verified: false, reason })

/** Proves a notice: four headers, fresh, a known key, a right signature, openable, about this merchant. */
export async function checkWechatNotice(
  notice: IncomingNotice,
  settings: WechatSettings,
  keys: WechatKeys,
): Promise<NoticeCheck> {
  const timestamp = headerOf(notice, 'wechatpay-timestamp')
  const nonce = headerOf(notice, 'wechatpay-nonce')
  const signature = headerOf(notice, 'wechatpay-signature')
  const serial = headerOf(notice, 'wechatpay-serial')
  if (!timestamp || !nonce || !signature || !serial) return refused('unsigned')
  if (signature.startsWith(probePrefix)) return refused('probe')
  if (!isFresh(timestamp, notice.now)) return refused('stale')
  const key = await keys.find(serial)
  if (!key) return refused('unknownKey')
  const proof = { serial, timestamp, nonce, body: notice.body, signature }
  if (!keys.hasSigned(proof, key)) return refused('forged')
  const opened = openNotice(notice.body, settings.apiV3Key)
  return opened ? readNotice(opened, settings) : refused('broken')
}

interface OpenNotice {
  noticeId: string
  type: string
  plain: unknown
}

function openNotice(body: Buffer, apiV3Key: string): OpenNotice | undefined {
  try {
    const { id, event_type, resource } = NoticeBody.parse(JSON.parse(body.toString()))
    return { noticeId: id, type: event_type, plain: JSON.parse(openResource(apiV3Key, resource)) }
  } catch {
    return undefined
  }
}

function readNotice({ noticeId, type, plain }: OpenNotice, settings: WechatSettings): NoticeCheck {
  if (ShareNotice.safeParse(plain).success) return refused('notOurs')
  if (type.startsWith('TRANSACTION.')) {
    const transaction = Transaction.safeParse(plain)
    if (!transaction.success || !isWhole(transaction.data)) return refused('broken')
    if (!isOurPayment(transaction.data, settings)) return refused('foreign')
    const payment = paymentStateOf(transaction.data)
    return { verified: true, notice: { kind: 'payment', noticeId, payment } }
  }
  if (type.startsWith('REFUND.')) {
    const refund = Refund.safeParse(plain)
    if (!refund.success) return refused('broken')
    if (!isOurRefund(refund.data, settings)) return refused('foreign')
    const { out_trade_no: outTradeNo } = refund.data
    return {
      verified: true,
      notice: { kind: 'refund', noticeId, refund: refundStateOf(refund.data), outTradeNo },
    }
  }
  return refused('notOurs')
}
