import { randomBytes } from 'node:crypto'
import { wechatTime, type WechatBook, type WechatOrder, type WechatRefund } from './book.ts'
import type { FaultBook, WechatFaults } from './faults.ts'
import type { WechatMerchant } from './merchant.ts'
import type { Notifier } from './notifier.ts'
import { WechatError, type AskedOrder, type AskedRefund } from './request-rules.ts'

const defaultExpiryMs = 7 * 86_400_000
const mostRefunds = 50
/** Who scans a code, when nobody in particular does. */
const anyPayer = 'oSandboxPayer0000000000000001'

const digits = (length: number) => [...randomBytes(length)].map((byte) => byte % 10).join('')

export const emptyOrder: WechatOrder = {
  mchId: '',
  subMchId: '',
  outTradeNo: '',
  transactionId: '',
  prepayId: '',
  state: 'NOTPAY',
  amountCents: 0,
  description: '',
  notifyUrl: '',
  openId: anyPayer,
  tradeType: 'JSAPI',
  asked: '',
  expiresAt: 0,
  successTime: '',
  refundedCents: 0,
}

/** Takes orders, money and refunds. Every method throws a WechatError when it refuses. */
export interface Till {
  prepare(
    merchant: WechatMerchant,
    asked: AskedOrder,
    body: string,
    tradeType: WechatOrder['tradeType'],
  ): WechatOrder
  find(merchant: WechatMerchant, outTradeNo: string, subMchId: string): WechatOrder
  close(order: WechatOrder): void
  pay(outTradeNo: string): void
  refund(merchant: WechatMerchant, asked: AskedRefund, body: string, faults: WechatFaults): WechatRefund
  findRefund(merchant: WechatMerchant, outRefundNo: string, subMchId: string): WechatRefund
  endRefund(refund: WechatRefund): void
  stop(): void
}

/** Milliseconds a refund is under way, and how long an order has to be open for payment at least. */
export interface TillTimes {
  refundMs: number
  shortestExpiryMs: number
}

export function createTill(
  book: WechatBook,
  faultBook: FaultBook,
  notifier: Notifier,
  { refundMs, shortestExpiryMs }: TillTimes,
): Till {
  const timers = new Set<NodeJS.Timeout>()
  const endSoon = (refund: WechatRefund) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      till.endRefund(refund)
    }, refundMs)
    timers.add(timer)
  }

  const till: Till = {
    prepare(merchant, asked, body, tradeType) {
      const { appId, mchId, subMchId, openId } = readParties(merchant, asked)
      if (mchId !== merchant.mchId || appId !== merchant.appId)
        throw new WechatError(400, 'APPID_MCHID_NOT_MATCH')
      if (tradeType === 'JSAPI' && !openId) throw new WechatError(400, 'PARAM_ERROR', 'payer is required')
      const known = book.orders.get(asked.out_trade_no)
      if (known?.state === 'CLOSED') throw new WechatError(400, 'ORDER_CLOSED')
      if (known && (known.state !== 'NOTPAY' || known.mchId !== mchId || known.asked !== body))
        throw new WechatError(403, 'OUT_TRADE_NO_USED')
      const expiresAt = asked.time_expire ? Date.parse(asked.time_expire) : Date.now() + defaultExpiryMs
      if (!known && expiresAt - Date.now() < shortestExpiryMs)
        throw new WechatError(
          400,
          'PARAM_ERROR',
          `time_expire must be at least ${shortestExpiryMs / 1000} seconds away`,
        )
      const order: WechatOrder = {
        ...emptyOrder,
        mchId,
        subMchId,
        outTradeNo: asked.out_trade_no,
        // A repeat gets a fresh one; here it stays, so that a page that was opened before still pays.
        prepayId: known?.prepayId ?? `wx${digits(34)}`,
        amountCents: asked.amount.total,
        description: asked.description,
        notifyUrl: asked.notify_url,
        openId: openId ?? anyPayer,
        tradeType,
        asked: body,
        expiresAt,
      }
      book.orders.set(order.outTradeNo, order)
      return order
    },

    find(merchant, outTradeNo, subMchId) {
      const order = book.orders.get(outTradeNo)
      if (order?.mchId !== merchant.mchId || order.subMchId !== subMchId)
        throw new WechatError(404, 'ORDER_NOT_EXIST')
      return order
    },

    close(order) {
      if (order.state !== 'NOTPAY' && order.state !== 'CLOSED') throw new WechatError(400, 'ORDERPAID')
      order.state = 'CLOSED'
    },

    pay(outTradeNo) {
      const order = book.orders.get(outTradeNo)
      if (!order) throw new WechatError(404, 'ORDER_NOT_EXIST')
      if (order.state !== 'NOTPAY') throw new WechatError(400, 'ORDER_CLOSED', `the order is ${order.state}`)
      if (order.expiresAt < Date.now()) throw new WechatError(400, 'ORDER_CLOSED', 'the order has expired')
      order.state = 'SUCCESS'
      // Its number is used up, whatever it is asked for again with.
      order.asked = ''
      order.transactionId = `42000${digits(23)}`
      order.successTime = wechatTime(Date.now())
      book.save()
      notifier.paid(order)
    },

    refund(merchant, asked, body, faults) {
      const { out_refund_no: outRefundNo, amount } = asked
      const known = book.refunds.get(outRefundNo)
      if (known) {
        if (known.asked !== body)
          throw new WechatError(400, 'INVALID_REQUEST', 'the same number with other parameters')
        return known
      }
      const order = asked.out_trade_no
        ? book.orders.get(asked.out_trade_no)
        : [...book.orders.values()].find(({ transactionId }) => transactionId === asked.transaction_id)
      if (order?.mchId !== merchant.mchId || order.subMchId !== (asked.sub_mchid ?? ''))
        throw new WechatError(404, 'RESOURCE_NOT_EXISTS')
      if (order.state !== 'SUCCESS' && order.state !== 'REFUND')
        throw new WechatError(404, 'RESOURCE_NOT_EXISTS', 'the order is not paid')
      if (faults.refuseRefunds) throw new WechatError(403, faults.refuseRefunds)
      if (amount.total !== order.amountCents)
        throw new WechatError(400, 'INVALID_REQUEST', 'total is not what was paid')
      if (order.refundedCents + amount.refund > order.amountCents)
        throw new WechatError(400, 'INVALID_REQUEST', 'more than what is left')
      const parts = [...book.refunds.values()].filter((one) => one.outTradeNo === order.outTradeNo)
      if (parts.length >= mostRefunds) throw new WechatError(400, 'INVALID_REQUEST', 'too many refunds')
      const made: WechatRefund = {
        refundId: `50000${digits(24)}`,
        outRefundNo,
        outTradeNo: order.outTradeNo,
        status: 'PROCESSING',
        refundCents: amount.refund,
        notifyUrl: asked.notify_url ?? '',
        asked: body,
        createTime: wechatTime(Date.now()),
        successTime: '',
      }
      order.refundedCents += made.refundCents
      order.state = 'REFUND'
      book.refunds.set(outRefundNo, made)
      if (!faults.holdRefunds) endSoon(made)
      return made
    },

    findRefund(merchant, outRefundNo, subMchId) {
      const refund = book.refunds.get(outRefundNo)
      const order = refund && book.orders.get(refund.outTradeNo)
      if (!refund || order?.mchId !== merchant.mchId || order.subMchId !== subMchId)
        throw new WechatError(404, 'RESOURCE_NOT_EXISTS')
      return refund
    },

    endRefund(refund) {
      const { outRefundNo, outTradeNo } = refund
      refund.status = faultBook.strike('refundEnd', outRefundNo, outTradeNo).refundEnd
      if (refund.status === 'SUCCESS') refund.successTime = wechatTime(Date.now())
      const order = book.orders.get(outTradeNo)
      // Closed means not refunded: the money can be asked for again, with another number.
      if (refund.status === 'CLOSED' && order) {
        order.refundedCents -= refund.refundCents
        if (order.refundedCents === 0) order.state = 'SUCCESS'
      }
      book.save()
      notifier.refunded(refund)
    },

    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
  // Those that were under way when the sandbox stopped.
  for (const refund of book.refunds.values()) if (refund.status === 'PROCESSING') endSoon(refund)
  return till
}

function readParties(merchant: WechatMerchant, asked: AskedOrder) {
  if ('mchid' in asked)
    return { appId: asked.appid, mchId: asked.mchid, subMchId: '', openId: asked.payer?.openid }
  if (!merchant.subMchIds.includes(asked.sub_mchid))
    throw new WechatError(403, 'NO_AUTH', 'the sub-merchant is not yours')
  const openId = asked.payer?.sp_openid ?? asked.payer?.sub_openid
  return { appId: asked.sp_appid, mchId: asked.sp_mchid, subMchId: asked.sub_mchid, openId }
}
