import fs from 'node:fs'
import { forgetOld } from './forget-old.ts'
import { createWechatMerchant, type WechatMerchant } from './merchant.ts'

/* What the played WeChat knows: merchants, orders, refunds. Kept in a file, so that a demo goes on after a restart. */

/** Numbers are unique over all merchants here; WeChat keeps them unique for each. */
export interface WechatOrder {
  mchId: string
  /** Of partner mode, else empty. */
  subMchId: string
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
  /** The first one is the platform of a demo or a test. */
  merchants: WechatMerchant[]
  orders: Map<string, WechatOrder>
  refunds: Map<string, WechatRefund>
  merchantOf(order: WechatOrder): WechatMerchant
  save(): void
  /** Writes what waits to be written. */
  close(): void
}

interface KeptBook {
  merchants: WechatMerchant[]
  orders: WechatOrder[]
  refunds: WechatRefund[]
}

const savePauseMs = 500
/** Writing takes at most this part of the time. */
const writingPart = 0.05

function readBook(dataFile: string): KeptBook {
  try {
    const kept = JSON.parse(fs.readFileSync(dataFile, 'utf8')) as Partial<KeptBook>
    const { merchants, orders, refunds } = kept
    if (!merchants || !orders || !refunds) throw new Error('it has no merchants, orders or refunds')
    return { merchants, orders, refunds }
  } catch (error) {
    throw new Error(`The simulated provider cannot read ${dataFile}: ${String(error)}`, { cause: error })
  }
}

export interface BookOptions {
  /** Keeps the book; without it the book is gone with the process. */
  dataFile?: string | undefined
  merchants?: readonly WechatMerchant[] | undefined
  /** Older ones are forgotten. */
  mostOrders: number
}

/** Opens the book, from its file when there is one, otherwise with these merchants or a new one. */
export function openBook({ dataFile, merchants: opened, mostOrders }: BookOptions): WechatBook {
  const kept = dataFile && fs.existsSync(dataFile) ? readBook(dataFile) : undefined
  const merchants = kept?.merchants ?? structuredClone(opened?.slice()) ?? [createWechatMerchant()]
  const orders = new Map(kept?.orders.map((order) => [order.outTradeNo, order]))
  const refunds = new Map(kept?.refunds.map((refund) => [refund.outRefundNo, refund]))
  let timer: NodeJS.Timeout | undefined
  let writingMs = 0
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    if (!dataFile) return
    const begunAt = performance.now()
    const book: KeptBook = { merchants, orders: [...orders.values()], refunds: [...refunds.values()] }
    fs.writeFileSync(`${dataFile}.part`, JSON.stringify(book), { mode: 0o600 })
    fs.renameSync(`${dataFile}.part`, dataFile)
    writingMs = performance.now() - begunAt
  }
  if (!kept) write()
  return {
    merchants,
    orders,
    refunds,
    merchantOf({ mchId }) {
      const merchant = merchants.find((one) => one.mchId === mchId)
      if (!merchant) throw new Error(`there is no merchant ${mchId}`)
      return merchant
    },
    save: function saveSoon() {
      if (orders.size > mostOrders) forgetOld(orders, refunds, mostOrders, Date.now())
      if (!dataFile) return
      timer ??= setTimeout(
        () => {
          try {
            write()
          } catch {
            // The disk is full, say; there may be room later.
            saveSoon()
          }
        },
        Math.max(savePauseMs, writingMs / writingPart),
      )
    },
    close: () => {
      if (timer) write()
    },
  }
}

/** Beijing time with its offset, as WeChat writes it. */
export const wechatTime = (ms: number): string =>
  `${new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`
