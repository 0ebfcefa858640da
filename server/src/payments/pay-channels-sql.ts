import { sql, type Database } from '../kit/database.ts'
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

/**
 * Where a merchant's payment route leads (spec 2 §9): a bound, unlocked channel of its own, else the platform's
 * (decisions §5); undefined when nothing can be paid.
 */
export async function channelForMerchant(
  db: Database,
  merchantId: number,
): Promise<PayChannelRecord | undefined> {
  const { rows } = await sql<PayChannelRecord>`
    select ${columns} from pay_channels where id = pay_channel_for(${merchantId})`.execute(db)
  return rows[0]
}

/** Whether a merchant's payment route lets refunds be applied for; it does by default (spec 2 §9). */
export async function isRefundAllowed(db: Database, merchantId: number): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    select refund_allowed as allowed from pay_routers where merchant_id = ${merchantId}`.execute(db)
  return rows[0]?.allowed ?? true
}

/** A channel with its settings as they are kept. */
export async function findSealedChannel(
  db: Database,
  channelId: number,
): Promise<(PayChannelRecord & { sealed: Buffer }) | undefined> {
  const { rows } = await sql<PayChannelRecord & { sealed: Buffer }>`
    select ${columns}, settings as sealed from pay_channels where id = ${channelId}`.execute(db)
  return rows[0]
}

export async function insertSealedChannel(
  db: Database,
  channel: Omit<PayChannelRecord, 'id'> & { sealed: Buffer },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into pay_channels (organisation_id, name, account, settings)
    values (${channel.organisationId}, ${channel.name}, ${channel.account}, ${channel.sealed})
    returning id`.execute(db)
  if (!rows[0]) throw new Error('the channel was not kept')
  return rows[0].id
}
