import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { wechatTime, type WechatBook, type WechatOrder, type WechatRefund } from './book.ts'
import type { WechatFaults } from './faults.ts'
import { sealResource, signedHeaders } from './signatures.ts'

/** WeChat's pauses before it tells a notice again, in seconds. */
const retrySeconds = [15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600]
const answerTimeoutMs = 5000

export function transactionOf(book: WechatBook, order: WechatOrder) {
  const isPaid = order.state === 'SUCCESS' || order.state === 'REFUND'
  return {
    appid: book.merchant.appId,
    mchid: book.merchant.mchId,
    out_trade_no: order.outTradeNo,
    trade_state: order.state,
    trade_state_desc: order.state,
    ...(isPaid
      ? {
          transaction_id: order.transactionId,
          trade_type: order.tradeType,
          bank_type: 'OTHERS',
          success_time: order.successTime,
          payer: { openid: order.openId },
          amount: {
            total: order.amountCents,
            payer_total: order.amountCents,
            currency: 'CNY',
            payer_currency: 'CNY',
          },
        }
      : {}),
  }
}

export function refundOf(book: WechatBook, refund: WechatRefund, inNotice: boolean) {
  const order = book.orders.get(refund.outTradeNo)
  return {
    ...(inNotice
      ? { mchid: book.merchant.mchId, refund_status: refund.status }
      : { status: refund.status, channel: 'ORIGINAL', create_time: refund.createTime }),
    refund_id: refund.refundId,
    out_refund_no: refund.outRefundNo,
    out_trade_no: refund.outTradeNo,
    transaction_id: order?.transactionId ?? '',
    user_received_account: '支付用户零钱',
    ...(refund.successTime ? { success_time: refund.successTime } : {}),
    amount: {
      total: order?.amountCents ?? 0,
      refund: refund.refundCents,
      payer_total: order?.amountCents ?? 0,
      payer_refund: refund.refundCents,
      currency: 'CNY',
    },
  }
}

/** Tells merchants what happened, until they say that they have it. */
export interface Notifier {
  paid(order: WechatOrder): void
  refunded(refund: WechatRefund): void
  stop(): void
}

export function createNotifier(book: WechatBook, faults: WechatFaults, timeFactor: number): Notifier {
  const timers = new Set<NodeJS.Timeout>()
  let stopped = false
  let stranger: string | undefined

  const later = (ms: number, work: () => void) => {
    if (stopped) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms / timeFactor)
    timers.add(timer)
  }

  const post = async (url: string, body: string): Promise<boolean> => {
    stranger ??= faults.forgedNotices
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString()
      : undefined
    const headers = signedHeaders(
      body,
      book.merchant,
      Date.now(),
      faults.forgedNotices ? stranger : undefined,
    )
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.timeout(answerTimeoutMs),
      })
      return answer.status === 200 || answer.status === 204
    } catch {
      return false
    }
  }

  const tell = (url: string, eventType: string, kind: string, plain: object) => {
    if (faults.silentNotices) return
    const id = randomUUID()
    const attempt = async (failures: number) => {
      if (stopped) return
      const resource = sealResource(plain, book.merchant.apiV3Key, kind)
      const body = JSON.stringify({
        id,
        create_time: wechatTime(Date.now()),
        resource_type: 'encrypt-resource',
        event_type: eventType,
        summary: eventType,
        resource,
      })
      const taken = await post(url, body)
      const pause = retrySeconds[failures]
      if (!taken && pause !== undefined) later(pause * 1000, () => void attempt(failures + 1))
    }
    for (let copy = 0; copy < faults.noticeCopies; copy++) later(faults.noticeDelayMs, () => void attempt(0))
  }

  return {
    paid(order) {
      const transaction = transactionOf(book, order)
      const plain = faults.wrongAmount
        ? { ...transaction, amount: { total: 1, currency: 'CNY' } }
        : transaction
      tell(order.notifyUrl, 'TRANSACTION.SUCCESS', 'transaction', plain)
    },
    refunded(refund) {
      tell(refund.notifyUrl, `REFUND.${refund.status}`, 'refund', refundOf(book, refund, true))
    },
    stop() {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
