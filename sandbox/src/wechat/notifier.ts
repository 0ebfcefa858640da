import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { wechatTime, type WechatBook, type WechatOrder, type WechatRefund } from './book.ts'
import type { FaultBook, WechatFaults } from './faults.ts'
import type { WechatMerchant } from './merchant.ts'
import { sealResource, signedHeaders } from './signatures.ts'
import { refundNotified, transactionOf } from './told.ts'

/** WeChat's pauses before it tells a notice again, in seconds (reference 1.3). */
const retrySeconds = [
  15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600,
]
const answerTimeoutMs = 5000
const staleMs = 360_000

/** A notice that was sent, and what it met: 0 is no answer. */
export interface SentNotice {
  id: string
  eventType: string
  about: string
  status: number
}

/** Tells merchants what happened, until they say that they have it. */
export interface Notifier {
  paid(order: WechatOrder): void
  refunded(refund: WechatRefund): void
  sent: readonly SentNotice[]
  stop(): void
}

const sentKept = 500

export function createNotifier(book: WechatBook, faultBook: FaultBook, timeFactor: number): Notifier {
  const timers = new Set<NodeJS.Timeout>()
  const sent: SentNotice[] = []
  const heldBack = new Map<string, () => void>()
  let stopped = false

  const later = (ms: number, work: () => void) => {
    if (stopped) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms / timeFactor)
    timers.add(timer)
  }

  const tell = (
    notice: {
      merchant: WechatMerchant
      url: string
      eventType: string
      about: string
      kind: 'transaction' | 'refund'
      plain: object
    },
    faults: WechatFaults,
    afterFirst?: () => void,
  ) => {
    if (faults.silentNotices) return
    const { merchant, url, eventType, about } = notice
    const id = randomUUID()
    const attempt = async (failures: number) => {
      if (stopped) return
      const body = bodyOf(id, notice, faults)
      const status = await post(url, body, proofOf(body, merchant, faults))
      sent.push({ id, eventType, about, status })
      if (sent.length > sentKept) sent.shift()
      if (failures === 0) afterFirst?.()
      const pause = retrySeconds[failures]
      const isTaken = status === 200 || status === 204
      if (!isTaken && pause !== undefined) later(pause * 1000, () => void attempt(failures + 1))
    }
    for (let copy = 0; copy < faults.noticeCopies; copy++) later(faults.noticeDelayMs, () => void attempt(0))
  }

  return {
    sent,
    paid(order) {
      const faults = faultBook.strike('paymentNotice', order.outTradeNo)
      const transaction = transactionOf(book, order)
      const plain = faults.wrongAmount
        ? { ...transaction, amount: { total: 1, payer_total: 1, currency: 'CNY' } }
        : transaction
      const merchant = book.merchantOf(order)
      const { notifyUrl: url, outTradeNo: about } = order
      const send = () =>
        tell({ merchant, url, eventType: 'TRANSACTION.SUCCESS', about, kind: 'transaction', plain }, faults)
      if (faults.refundNoticeFirst) heldBack.set(order.outTradeNo, send)
      else send()
    },
    refunded(refund) {
      const order = book.orders.get(refund.outTradeNo)
      if (!order) return
      const sendHeldBack = () => {
        heldBack.get(order.outTradeNo)?.()
        heldBack.delete(order.outTradeNo)
      }
      const { notifyUrl: url, outRefundNo: about } = refund
      if (!url) return sendHeldBack()
      const merchant = book.merchantOf(order)
      const plain = refundNotified(book, refund, order)
      const eventType = `REFUND.${refund.status}`
      const faults = faultBook.strike('refundNotice', about, order.outTradeNo)
      tell({ merchant, url, eventType, about, kind: 'refund', plain }, faults, sendHeldBack)
    },
    stop() {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

function bodyOf(
  id: string,
  notice: { merchant: WechatMerchant; eventType: string; kind: string; plain: object },
  { noticeForgery }: WechatFaults,
): string {
  const names = { mchid: '1900009999', sp_mchid: '1900009999' }
  const plain = noticeForgery === 'otherMerchant' ? { ...notice.plain, ...names } : notice.plain
  return JSON.stringify({
    id,
    create_time: wechatTime(Date.now()),
    resource_type: 'encrypt-resource',
    event_type: notice.eventType,
    summary: notice.eventType,
    resource: sealResource(plain, notice.merchant.apiV3Key, notice.kind),
  })
}

let strangerPem: string | undefined

/** The signature of a notice, with what is to be wrong with it. */
function proofOf(
  body: string,
  merchant: WechatMerchant,
  { noticeForgery }: WechatFaults,
): Record<string, string> {
  const now = Date.now()
  switch (noticeForgery) {
    case 'unsigned':
      return {}
    case 'stranger':
      strangerPem ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString()
      return signedHeaders(body, merchant, now, strangerPem)
    case 'unknownSerial':
      return { ...signedHeaders(body, merchant, now), 'wechatpay-serial': 'PUB_KEY_ID_0000000000' }
    case 'probe': {
      const headers = signedHeaders(body, merchant, now)
      return { ...headers, 'wechatpay-signature': `WECHATPAY/SIGNTEST/${headers['wechatpay-signature']}` }
    }
    // Signed before a bit of the content was flipped.
    case 'flippedBit':
      return signedHeaders(body.replace(/"ciphertext":"./, '"ciphertext":"#'), merchant, now)
    case 'stale':
      return signedHeaders(body, merchant, now - staleMs)
    case 'otherMerchant':
    case 'none':
      return signedHeaders(body, merchant, now)
  }
}
