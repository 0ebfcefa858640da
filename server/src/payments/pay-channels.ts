import type { PayChannel } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import type { SecretBox } from '../kit/secrets.ts'
import type { PaymentAdapter } from './adapters/payment-adapter.ts'
import { createWechatAdapter } from './adapters/wechat/wechat-adapter.ts'
import { WechatSettings } from './adapters/wechat/wechat-settings.ts'
import type { PaidPayment } from './payment-outcomes.ts'

/** A channel money can be taken through. */
export interface PayChannelRecord {
  id: number
  name: PaidPayment['channelName']
  /** The provider's merchant number. */
  account: string
  /** 1 is the platform. */
  organisationId: number
}

const columns = sql`id, name, account, organisation_id as "organisationId"`

/** Channels that an adapter exists for; the others come behind the same interface. */
const served = ['wechatPay', 'wechatServerPay'] as const

/** Routing: a bound, unlocked channel of the merchant's own, else the platform's (decisions §5). */
export async function channelForMerchant(
  db: Database,
  merchantId: number,
): Promise<PayChannelRecord | undefined> {
  const { rows } = await sql<PayChannelRecord>`
    select ${columns} from pay_channels
     where organisation_id in (${merchantId}, 1) and bound and not locked and name = any(${[...served]})
     order by organisation_id = 1, id limit 1`.execute(db)
  return rows[0]
}

/** Whether a merchant's payment route lets refunds be applied for; it does by default (spec 2 §9). */
export async function isRefundAllowed(db: Database, merchantId: number): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    select refund_allowed as allowed from pay_routers where merchant_id = ${merchantId}`.execute(db)
  return rows[0]?.allowed ?? true
}

/** Adds a channel; its settings are kept sealed. */
export async function addPayChannel(
  db: Database,
  secrets: SecretBox,
  channel: {
    organisationId: number
    name: Extract<PayChannel, 'wechatPay' | 'wechatServerPay'>
    settings: WechatSettings
  },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into pay_channels (organisation_id, name, account, settings)
    values (${channel.organisationId}, ${channel.name}, ${channel.settings.mchId}, ${secrets.seal(JSON.stringify(channel.settings))})
    returning id`.execute(db)
  if (!rows[0]) throw new Error('the channel was not kept')
  return rows[0].id
}

export interface OpenChannel extends PayChannelRecord {
  adapter: PaymentAdapter
  settings: WechatSettings
}

/** Channels with their adapters, opened once and again when their settings change. */
export interface PayChannels {
  open(db: Database, channelId: number): Promise<OpenChannel | undefined>
}

export function createPayChannels(secrets: SecretBox): PayChannels {
  const opened = new Map<number, { sealed: string; settings: WechatSettings; adapter: PaymentAdapter }>()
  return {
    async open(db, channelId) {
      const { rows } = await sql<PayChannelRecord & { sealed: Buffer }>`
        select ${columns}, settings as sealed from pay_channels where id = ${channelId}`.execute(db)
      if (!rows[0]) return undefined
      const { sealed, ...record } = rows[0]
      const fingerprint = sealed.toString('base64')
      let channel = opened.get(channelId)
      if (channel?.sealed !== fingerprint) {
        const settings = WechatSettings.parse(JSON.parse(secrets.open(sealed)))
        channel = { sealed: fingerprint, settings, adapter: createWechatAdapter(settings) }
        opened.set(channelId, channel)
      }
      return { ...record, adapter: channel.adapter, settings: channel.settings }
    },
  }
}
