import fs from 'node:fs'
import { createWechatMerchant, type WechatMerchant } from './merchant.ts'

/* What the played WeChat knows: its merchant, orders, refunds. Kept in a file, so that a demo goes on after a restart. */

export interface WechatOrder {
  outTradeNo: string
  transactionId: string
  prepayId: string
  state: 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND'
  amountCents: number
  description: string
  notifyUrl: string
  openId: string
  tradeType: 'JSAPI' | 'NATIVE'
  /** As it was asked for: the same number with other parameters is refused. */
  asked: string
  expiresAt: number
  successTime: string
  refundedCents: number
}

export interface WechatRefund {
  refundId: string
  outRefundNo: string
  outTradeNo: string
  status: 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'
  refundCents: number
  notifyUrl: string
  asked: string
  createTime: string
  successTime: string
}

export interface WechatBook {
  merchant: WechatMerchant
  orders: Map<string, WechatOrder>
  refunds: Map<string, WechatRefund>
  openIds: Map<string, string>
  save(): void
}

const savePauseMs = 500

/** Opens the book, from its file when there is one. */
export function openBook(dataFile: string | undefined): WechatBook {
  const kept =
    dataFile && fs.existsSync(dataFile)
      ? (JSON.parse(fs.readFileSync(dataFile, 'utf8')) as {
          merchant: WechatMerchant
          orders: WechatOrder[]
          refunds: WechatRefund[]
        })
      : undefined
  const orders = new Map(kept?.orders.map((order) => [order.outTradeNo, order]))
  const refunds = new Map(kept?.refunds.map((refund) => [refund.outRefundNo, refund]))
  const merchant = kept?.merchant ?? createWechatMerchant()
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    timer = undefined
    if (!dataFile) return
    fs.writeFileSync(
      `${dataFile}.part`,
      JSON.stringify({ merchant, orders: [...orders.values()], refunds: [...refunds.values()] }),
    )
    fs.renameSync(`${dataFile}.part`, dataFile)
  }
  if (dataFile && !kept) write()
  return {
    merchant,
    orders,
    refunds,
    openIds: new Map(),
    save: () => {
      if (dataFile) timer ??= setTimeout(write, savePauseMs)
    },
  }
}

/** Beijing time with its offset, as WeChat writes it. */
export const wechatTime = (ms: number): string =>
  `${new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`
