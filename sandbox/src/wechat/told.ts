import type { WechatBook, WechatOrder, WechatRefund } from './book.ts'

/* How WeChat words an order and a refund, in answers and in notices. */

/** Who an order belongs to, as a direct merchant or as a service provider is told. */
function namesOf(book: WechatBook, order: WechatOrder, withApp: boolean): Record<string, string> {
  const { mchId, appId } = book.merchantOf(order)
  if (order.subMchId)
    return { ...(withApp ? { sp_appid: appId } : {}), sp_mchid: mchId, sub_mchid: order.subMchId }
  return { ...(withApp ? { appid: appId } : {}), mchid: mchId }
}

export function transactionOf(book: WechatBook, order: WechatOrder): Record<string, unknown> {
  const about = {
    ...namesOf(book, order, true),
    out_trade_no: order.outTradeNo,
    trade_state: order.state,
    trade_state_desc: order.state,
  }
  if (order.state !== 'SUCCESS' && order.state !== 'REFUND') return about
  return {
    ...about,
    transaction_id: order.transactionId,
    trade_type: order.tradeType,
    bank_type: 'OTHERS',
    success_time: order.successTime,
    payer: order.subMchId ? { sp_openid: order.openId } : { openid: order.openId },
    amount: {
      total: order.amountCents,
      payer_total: order.amountCents,
      currency: 'CNY',
      payer_currency: 'CNY',
    },
  }
}

function refundWith(
  book: WechatBook,
  refund: WechatRefund,
  status: Record<string, string>,
): Record<string, unknown> {
  const order = book.orders.get(refund.outTradeNo)
  return {
    ...status,
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

export const refundAnswered = (book: WechatBook, refund: WechatRefund): Record<string, unknown> =>
  refundWith(book, refund, { status: refund.status, channel: 'ORIGINAL', create_time: refund.createTime })

export const refundNotified = (
  book: WechatBook,
  refund: WechatRefund,
  order: WechatOrder,
): Record<string, unknown> =>
  refundWith(book, refund, { ...namesOf(book, order, false), refund_status: refund.status })
