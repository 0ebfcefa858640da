import type { Database } from '../kit/database.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { createAdapter, isServed, type ServedProvider } from './adapters/create-adapter.ts'
import type { PaymentAdapter } from './adapters/payment-adapter.ts'
import type { WechatSettings } from './adapters/wechat/wechat-settings.ts'
import { findSealedChannel, insertSealedChannel, type PayChannelRecord } from './pay-channels-sql.ts'

export { channelForMerchant, isRefundAllowed } from './pay-channels-sql.ts'

/** Adds a channel; its settings are kept sealed. */
export function addPayChannel(
  db: Database,
  secrets: SecretBox,
  channel: {
    organisationId: number
    name: ServedProvider
    settings: WechatSettings
  },
): Promise<number> {
  const { organisationId, name, settings } = channel
  const sealed = secrets.seal(JSON.stringify(settings))
  return insertSealedChannel(db, { organisationId, name, account: settings.mchId, sealed })
}

export interface OpenChannel extends PayChannelRecord {
  adapter: PaymentAdapter
  settings: WechatSettings
}

/** Channels with their adapters, opened once and again when their settings change. */
export interface PayChannels {
  /** @throws WrongKeyError when its settings were sealed with another key */
  open(db: Database, channelId: number): Promise<OpenChannel | undefined>
}

/** A burst of notices asks the database once for its channel; another process's change of settings is seen after this. */
const trustedForMs = 2000

/** Pay channels with their keys opened and an adapter each, kept for a moment. */
export function createPayChannels(secrets: SecretBox): PayChannels {
  const opened = new Map<number, { sealed: Buffer; channel: OpenChannel; readAtMs: number }>()
  /** Those that are just being read, for all who ask meanwhile. */
  const readings = new Map<number, Promise<OpenChannel | undefined>>()

  const read = async (db: Database, channelId: number) => {
    const known = opened.get(channelId)
    const found = await findSealedChannel(db, channelId)
    if (!found || !isServed(found.name)) return undefined
    const { sealed, ...record } = found
    const channel = known?.sealed.equals(sealed)
      ? { ...known.channel, ...record }
      : { ...record, ...createAdapter(found.name, JSON.parse(secrets.open(sealed))) }
    opened.set(channelId, { sealed, channel, readAtMs: performance.now() })
    return channel
  }
  return {
    async open(db, channelId) {
      const known = opened.get(channelId)
      if (known && performance.now() - known.readAtMs < trustedForMs) return known.channel
      const reading = readings.get(channelId) ?? read(db, channelId).finally(() => readings.delete(channelId))
      readings.set(channelId, reading)
      return reading
    },
  }
}
