import type { WechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import pg from 'pg'
import { createSecretBox } from '../kit/secrets.ts'
import { demoWechatSettings } from './demo-environment.ts'

/**
 * Leads the demo's payments to the played WeChat where it is now: a demo that was filled before may have been started with
 * other ports since, as whoever finds one in use is told to.
 */
export async function reachWechat(
  { databaseUrl, secretKey }: { databaseUrl: string; secretKey: string },
  { merchant, url }: WechatSandbox,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `update pay_channels set settings = $2 where organisation_id = 1 and name = 'wechatPay' and account = $1`,
      [merchant.mchId, createSecretBox(secretKey).seal(JSON.stringify(demoWechatSettings(merchant, url)))],
    )
  } finally {
    await client.end()
  }
}
