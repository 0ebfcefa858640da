import { createWechatMerchant } from '@chairside/sandbox/wechat/merchant'
import { signedHeaders, sealResource } from '@chairside/sandbox/wechat/signatures'
import { startWechatSandbox, type WechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import { pino } from 'pino'
import { inTransaction, openDatabase, sql, type Database, type DatabasePool } from '../kit/database.ts'
import { createWebApp } from '../kit/door/web-app.ts'
import { createSecretBox, type SecretBox } from '../kit/secrets.ts'
import { WechatSettings } from '../payments/adapters/wechat/wechat-settings.ts'
import { addPayChannel, createPayChannels } from '../payments/pay-channels.ts'
import { createPaymentJobs } from '../payments/payment-jobs.ts'
import { mountPaymentNotices } from '../payments/payment-notices.ts'
import type { PaymentOutcomes } from '../payments/payment-outcomes.ts'
import type { PaymentServices } from '../payments/payment-services.ts'
import { createPayment } from '../payments/prepare-payment.ts'
import { runJobs } from './run-jobs.ts'
import { createTestDatabase } from './test-database.ts'

export interface Outcome {
  kind: 'paid' | 'closed' | 'refunded' | 'refund failed' | 'refund waits' | 'refund given up'
  /** Number of the payment or the refund. */
  about: string
  detail: string
}

export interface NoticeToSend {
  plain: object
  eventType?: string
  channelId?: number
  apiV3Key?: string
  sentAtMs?: number
  signedBy?: string
  headers?: Record<string, string>
  /** Changes the body after it was signed. */
  alter?(body: string): string
}

export interface TestPayments extends DatabasePool {
  services: PaymentServices
  secrets: SecretBox
  wechat: WechatSandbox
  settings: WechatSettings
  channelId: number
  merchantId: number
  /** Makes an attempt to have an order paid, of 5 yuan, within 5 minutes. */
  place(orderId: string, options?: { trade?: 'jsapi' | 'native'; amountCents?: number }): Promise<string>
  /** What orders were told, in the order of it. */
  outcomes(): Promise<Outcome[]>
  noticeOutcomes(): Promise<string[]>
  stateOf(outTradeNo: string): Promise<string | undefined>
  /** The time to pay is over. */
  expire(outTradeNo: string): Promise<void>
  /** Does all that waits, however long it would; what that asks for in turn stays. */
  work(services?: PaymentServices): Promise<void>
  /** What waits: the number it is about and in how many seconds it is due, from when it was asked for. */
  waiting(): Promise<{ task: string; about: string; seconds: number }[]>
  /** Posts a notice signed by WeChat, or altered as told. */
  notify(notice: NoticeToSend): Promise<Response>
  stop(): Promise<void>
}

const recordOf = (db: Database, outcome: Outcome) =>
  sql`insert into told_outcomes (kind, about, detail) values (${outcome.kind}, ${outcome.about}, ${outcome.detail})`.execute(
    db,
  )

/** Stands for orders: keeps what it is told in a table, in the transaction that tells it. */
const keptOutcomes: PaymentOutcomes = {
  async settlePaid(db, payments) {
    await sql`insert into told_batches (size) values (${payments.length})`.execute(db)
    for (const { outTradeNo, learntBy } of payments)
      await recordOf(db, { kind: 'paid', about: outTradeNo, detail: learntBy })
  },
  async settleClosed(db, { outTradeNo }) {
    await recordOf(db, { kind: 'closed', about: outTradeNo, detail: '' })
  },
  async settleRefund(db, { outRefundNo, succeeded, reason }) {
    await recordOf(db, {
      kind: succeeded ? 'refunded' : 'refund failed',
      about: outRefundNo,
      detail: reason,
    })
  },
  async refundWaits(db, { outRefundNo, reason }) {
    await recordOf(db, { kind: 'refund waits', about: outRefundNo, detail: reason })
  },
  /** The provider's end of a refund may come before this; so it is kept nowhere. */
  refundWaitsNoMore: () => Promise.resolve(),
  async refundGivenUp(db, { outRefundNo, reason }) {
    await recordOf(db, { kind: 'refund given up', about: outRefundNo, detail: reason })
  },
}

const merchants = [createWechatMerchant()]

/** Payments on a database of its own, with a played WeChat over HTTP that takes money for the platform. */
export async function startTestPayments(): Promise<TestPayments> {
  const testDatabase = await createTestDatabase()
  const database = openDatabase(testDatabase.url)
  const { db, pool } = database
  await pool.query(
    `create table told_outcomes (id bigint generated always as identity, kind text, about text, detail text);
     create table told_batches (size int)`,
  )
  const { rows } = await pool.query<{ id: number }>(
    `insert into organisations (id, parent_id, kind, path, name) values (2000, 1, 'merchant', '1.2000', 'A merchant') returning id`,
  )
  const merchantId = rows[0]?.id ?? 0
  const wechat = await startWechatSandbox({ port: 0, merchants, timeFactor: 200, refundMs: 20 })
  const { merchant } = wechat
  const settings = WechatSettings.parse({
    ...merchant,
    baseUrl: wechat.url,
    oauthAuthorizeUrl: `${wechat.url}/connect/oauth2/authorize`,
    oauthTokenUrl: `${wechat.url}/sns/oauth2/access_token`,
    platformKeys: { [merchant.platformSerial]: merchant.platformPublicKeyPem },
    timeoutMs: 20_000,
  })
  const secrets = createSecretBox('a secret key of a test, long enough')
  const channelId = await addPayChannel(db, secrets, { organisationId: 1, name: 'wechatPay', settings })
  const log = pino({ level: 'silent' })
  const services: PaymentServices = {
    db,
    channels: createPayChannels(secrets),
    outcomes: keptOutcomes,
    publicUrl: '',
    log,
  }
  const app = await createWebApp({ log, callsPerMinute: 1_000_000, trustProxy: false })
  await mountPaymentNotices(app, services)
  services.publicUrl = await app.listen({ host: '127.0.0.1', port: 0 })

  return {
    ...database,
    services,
    secrets,
    wechat,
    settings,
    channelId,
    merchantId,
    place: (orderId, { trade = 'jsapi', amountCents = 500 } = {}) =>
      inTransaction(db, (trx) =>
        createPayment(trx, {
          orderId,
          merchantId,
          channelId,
          amountCents,
          trade,
          payerId: trade === 'jsapi' ? 'oPayer' : null,
          expiresAt: new Date(Date.now() + 300_000),
          now: new Date(),
        }),
      ),
    async outcomes() {
      const told = await pool.query<Outcome>('select kind, about, detail from told_outcomes order by id')
      return told.rows
    },
    async noticeOutcomes() {
      const kept = await pool.query<{ outcome: string }>('select outcome from payment_notices order by id')
      return kept.rows.map(({ outcome }) => outcome)
    },
    async stateOf(outTradeNo) {
      const found = await pool.query<{ state: string }>(
        'select state from payments where out_trade_no = $1',
        [outTradeNo],
      )
      return found.rows[0]?.state
    },
    async expire(outTradeNo) {
      await pool.query(`update payments set expires_at = now() where out_trade_no = $1`, [outTradeNo])
    },
    async work(by = services) {
      await pool.query(`update graphile_worker._private_jobs set run_at = now()`)
      await runJobs({ pool, db, log }, createPaymentJobs(by))
    },
    async waiting() {
      const jobs = await pool.query<{ task: string; about: string; seconds: number }>(
        `select task_identifier as task, split_part(key, ':', 2) as about, extract(epoch from run_at - updated_at)::float8 as seconds
           from graphile_worker.jobs where attempts < max_attempts and key is not null order by run_at`,
      )
      return jobs.rows
    },
    notify(notice) {
      const { eventType = 'TRANSACTION.SUCCESS', apiV3Key = merchant.apiV3Key, signedBy } = notice
      const body = JSON.stringify({
        id: 'EV-1',
        create_time: new Date().toISOString(),
        resource_type: 'encrypt-resource',
        event_type: eventType,
        summary: '',
        resource: sealResource(notice.plain, apiV3Key, 'transaction'),
      })
      const signed = signedHeaders(body, merchant, notice.sentAtMs ?? Date.now(), signedBy)
      return fetch(`${services.publicUrl}/notify/${notice.channelId ?? channelId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signed, ...notice.headers },
        body: notice.alter?.(body) ?? body,
      })
    },
    async stop() {
      await wechat.stop()
      await app.close()
      await database.close()
      await testDatabase.drop()
    },
  }
}
