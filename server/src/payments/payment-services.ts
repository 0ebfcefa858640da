import type { Logger } from 'pino'
import type { Database } from '../kit/database.ts'
import type { PayChannels } from './pay-channels.ts'
import type { PaymentOutcomes } from './payment-outcomes.ts'

/** What the payments domain works with. */
export interface PaymentServices {
  db: Database
  channels: PayChannels
  outcomes: PaymentOutcomes
  /** Providers reach us by it. */
  publicUrl: string
  log: Logger
}

/** Where a channel's provider sends its notices. */
export const noticeUrl = (services: Pick<PaymentServices, 'publicUrl'>, channelId: number) =>
  `${services.publicUrl}/notify/${channelId}`

/** One job queries a payment, and one a refund; these are their keys. */
export const queryKey = (outTradeNo: string) => `query:${outTradeNo}`
export const refundKey = (outRefundNo: string) => `refund:${outRefundNo}`
