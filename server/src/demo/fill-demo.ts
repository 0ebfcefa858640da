import type { WechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import pg from 'pg'
import { createDeviceCredentials } from '../devices/device-credentials.ts'
import { createSecretBox } from '../kit/secrets.ts'
import { demoBoardPassword, demoWechatSettings } from './demo-environment.ts'
import { noticeMisfortunes } from './misfortunes.ts'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import { writeReceivers } from './demo-receivers.ts'
import { makeHistory } from './make-history.ts'
import type { NetworkSize } from './network.ts'
import { writeBanners } from './write-banners.ts'

/** Orders the played WeChat remembers, so that they can be refunded. */
const rememberedDays = 30
const seed = 20_261_121

/** Fills a database without accounts with the demo's network and its past; one that has some stays as it is. */
export async function fillDemo(
  target: { databaseUrl: string; secretKey: string; pictures?: ObjectStore },
  wechat: WechatSandbox,
  history: { size: NetworkSize; orders: number; days: number },
  onBegin: () => void = () => undefined,
): Promise<void> {
  const { databaseUrl, secretKey } = target
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: accounts } = await client.query('select 1 from accounts limit 1')
    if (accounts.length > 0) return
    onBegin()
    const secrets = createSecretBox(secretKey)
    const { hashOf } = createDeviceCredentials(secrets)
    await makeHistory(databaseUrl, {
      ...history,
      seed,
      until: new Date(),
      withStories: true,
      channel: {
        account: wechat.merchant.mchId,
        settings: secrets.seal(JSON.stringify(demoWechatSettings(wechat.merchant, wechat.url))),
      },
      credentialHashOf: (sid) => hashOf(sid, demoBoardPassword(secretKey, sid)),
    })
    await writeReceivers(client, secrets)
    if (target.pictures) await writeBanners(client, target.pictures, new Date())
    const { rows: recent } = await client.query<{
      outTradeNo: string
      transactionId: string
      amountCents: string
    }>(
      `select out_trade_no as "outTradeNo", transaction_id as "transactionId", amount_cents as "amountCents"
         from payments where state = 'paid' and paid_at > now() - interval '${rememberedDays} days'`,
    )
    await noticeMisfortunes(databaseUrl)
    for (const payment of recent) wechat.remember({ ...payment, amountCents: Number(payment.amountCents) })
  } finally {
    await client.end()
  }
}
