import type pg from 'pg'
import type { SecretBox } from '../kit/secrets.ts'

/** Where the demo's organisations have notifications sent: robots and mailboxes of the played messengers. */
export const demoReceivers = [
  {
    organisation: 'admin',
    kind: 'weCom',
    key: '693a91f6-7c1e-4bc4-97a0-0ec2af5a5aaa',
    shown: '****5aaa',
    name: '退款审核群',
    language: 'zh-CN',
    events: ['refundApplied', 'refundFailed'],
  },
  {
    organisation: 'merchant',
    kind: 'dingTalk',
    key: 'd1a5c7c0b1f84a6bbf0e7d9c2a8e4f60',
    shown: '****4f60',
    name: '门店值班群',
    language: 'zh-CN',
    events: ['alertRaised', 'alertCleared', 'refundDecided'],
  },
  {
    organisation: 'merchant',
    kind: 'email',
    key: 'manager@merchant.example',
    shown: 'm****@merchant.example',
    name: 'Manager',
    language: 'en',
    events: ['alertRaised', 'refundFailed'],
  },
] as const

/** Writes the receivers of the demo's accounts. */
export async function writeReceivers(client: pg.Client, secrets: SecretBox): Promise<void> {
  for (const { organisation, kind, key, shown, name, language, events } of demoReceivers)
    await client.query(
      `insert into notification_receivers (organisation_id, name, kind, sealed_address, shown_address, language, events)
       select organisation_id, $2, $3, $4, $5, $6, $7 from accounts where user_name = $1`,
      [organisation, name, kind, secrets.seal(key), shown, language, events],
    )
}
