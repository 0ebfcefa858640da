import { createWechatMerchant, type WechatMerchant } from '@chairside/sandbox/wechat/merchant'
import { demoWechatSettings } from '@chairside/server/demo/demo-environment'
import { createSecretBox } from '@chairside/server/kit/secrets'
import pg from 'pg'
import { medianOf } from './measure.ts'
import { noticeOf, tellNotices } from './notices.ts'
import { settleByOneCall } from './one-call-settlement.ts'
import { benchSecretKey } from './prepare-data.ts'
import { startProduct } from './servers.ts'
import { forgetStarts, placeUnpaidOrders } from './unpaid-orders.ts'

/** Settled payments a second, the median of the rounds. */
export interface SettlementResult {
  perRound: number
  oneCall: number
  oneCallBy: 'pgbench' | 'pg'
  /** The process serves the web alone. */
  notices: number
  /** All for one merchant. */
  hotMerchant: number
  /** The process also delivers starts to chairs and folds rollups, as it does by default. */
  withAllRoles: number
}

const channelId = 1
const connections = 128

/** The platform's channel takes money by a WeChat of ours. */
async function openChannel(client: pg.Client): Promise<WechatMerchant> {
  const merchant = createWechatMerchant()
  const settings = demoWechatSettings(merchant, 'http://127.0.0.1:1')
  const sealed = createSecretBox(benchSecretKey).seal(JSON.stringify(settings))
  await client.query('update pay_channels set account = $2, settings = $3 where id = $1', [
    channelId,
    merchant.mchId,
    sealed,
  ])
  return merchant
}

/** Settled payments have to be what was told, to the cent. */
async function assertSettled(client: pg.Client, outTradeNos: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ settled: string }>(
    `select count(*) as settled from payments p join orders o on o.order_id = p.order_id
       join ledger_transfers t on t.cause = 'payment:' || p.out_trade_no and t.amount_cents = p.amount_cents
      where p.out_trade_no = any($1) and p.state = 'paid' and o.status = 3
        and o.order_time > now() - interval '1 day' and t.cause_time > now() - interval '1 day'`,
    [outTradeNos],
  )
  const settled = Number(rows[0]?.settled)
  if (settled !== outTradeNos.length)
    throw new Error(`${outTradeNos.length} notices were taken, and ${settled} payments settled`)
}

interface Setting {
  databaseUrl: string
  dataDirectory: string
  perRound: number
  rounds: number
  say(text: string): void
}

/** From a provider's notice to its commit, for merchants in turn and for one, beside one call of the database for each. */
export async function measureSettlement(setting: Setting): Promise<SettlementResult> {
  const client = new pg.Client({ connectionString: setting.databaseUrl })
  await client.connect()
  try {
    return await settleInTurn(setting, client)
  } finally {
    await client.end()
  }
}

async function settleInTurn(setting: Setting, client: pg.Client): Promise<SettlementResult> {
  const { databaseUrl, dataDirectory, perRound, rounds, say } = setting
  const merchant = await openChannel(client)
  const web = await startProduct(databaseUrl, dataDirectory, { ROLES: 'web' })
  const byNotices = async (url: string, merchants: 'any' | 'one', isWatched = true) => {
    const orders = await placeUnpaidOrders(client, perRound, merchants)
    const notices = orders.map((order) => noticeOf(order, merchant, `/notify/${channelId}`))
    const rate = await tellNotices(url, notices, connections)
    const settled = orders.map(({ outTradeNo }) => outTradeNo)
    if (isWatched) await assertSettled(client, settled)
    return rate
  }
  const rates = { oneCall: [] as number[], notices: [] as number[], hotMerchant: [] as number[] }
  let oneCallBy: SettlementResult['oneCallBy'] = 'pg'
  try {
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const orders = await placeUnpaidOrders(client, perRound, 'any')
      const { aSecond: oneCall, by } = await settleByOneCall(client, databaseUrl, orders)
      await forgetStarts(client)
      oneCallBy = by
      const notices = await byNotices(web.url, 'any')
      await forgetStarts(client)
      const hotMerchant = await byNotices(web.url, 'one')
      await forgetStarts(client)
      say(
        `settled a second: one call ${Math.round(oneCall)} (${by}), notices ${Math.round(notices)}, of one merchant ${Math.round(hotMerchant)}`,
      )
      if (round === 0) continue
      rates.oneCall.push(oneCall)
      rates.notices.push(notices)
      rates.hotMerchant.push(hotMerchant)
    }
  } finally {
    await web.stop()
  }
  const all = await startProduct(databaseUrl, dataDirectory)
  try {
    await byNotices(all.url, 'any', false)
    const withAllRoles = await byNotices(all.url, 'any', false)
    say(`with all roles ${Math.round(withAllRoles)}`)
    return {
      perRound,
      oneCall: medianOf(rates.oneCall),
      oneCallBy,
      notices: medianOf(rates.notices),
      hotMerchant: medianOf(rates.hotMerchant),
      withAllRoles: Math.round(withAllRoles),
    }
  } finally {
    await all.stop()
    // Not before: its workers have them in their hands.
    await forgetStarts(client)
  }
}
