import { startWechatSandbox, type WechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import type { Envelope, PayPageOrder } from '@chairside/contract'
import { pino } from 'pino'
import { catalogueCalls } from '../catalogue/catalogue-calls.ts'
import { storeAcknowledgement, storeEnd } from '../devices/command-answers.ts'
import { createCommandJobs } from '../devices/device-commands.ts'
import type { JobHandler } from '../kit/jobs.ts'
import { createAbandonedCommandJobs } from '../devices/give-up-commands.ts'
import { silentRunJobs } from '../devices/silent-runs.ts'
import { createOrderCalls, orderJobs } from '../orders/order-calls.ts'
import { customerOf, storeOpenId } from '../members/customers.ts'
import { paymentOutcomes } from '../orders/settle-payment.ts'
import { createIncomeLineCalls } from '../reports/income-lines-api.ts'
import { createOrderDaysCalls } from '../reports/order-days-api.ts'
import { WechatSettings } from '../payments/adapters/wechat/wechat-settings.ts'
import { addPayChannel, createPayChannels } from '../payments/pay-channels.ts'
import { createPaymentJobs } from '../payments/payment-jobs.ts'
import type { PaymentServices } from '../payments/payment-services.ts'
import { runJobs } from './run-jobs.ts'
import { addAccount, addOrganisation, startTestServer, testTimeZone, type TestServer } from './test-server.ts'

export const paymentWindowSeconds = 300

export interface GoodsToAdd {
  name: string
  templateId?: number
  priceCents?: number
  minutes?: number
  stock?: number
  queue?: number
  freeFirst?: boolean
  memberOnly?: boolean
  days?: [string, string]
}

export interface PlacedAnswer {
  order: PayPageOrder
  pay: { kind: 'jsapi' | 'native' | 'none' }
}

/** A phone: keeps its cookie. */
export interface TestPhone {
  page<Data = Record<string, unknown>>(sid: string): Promise<Envelope<Data>>
  place(
    sid: string,
    goodsId: number,
    requestKey?: string,
    seen?: { priceCents?: number; durationMinutes?: number },
  ): Promise<Envelope<PlacedAnswer>>
  order(orderId: string): Promise<Envelope<PayPageOrder>>
  press(orderId: string, what: 'stop' | 'cancel'): Promise<Envelope<PayPageOrder>>
  /** WeChat has told who it is to an app: that of the shop's channel when none is given. */
  signInAs(openId: string, appId?: string): Promise<void>
  cookie: string
}

export interface TestShop extends TestServer {
  payments: PaymentServices
  wechat: WechatSandbox
  channelId: number
  merchantId: number
  otherMerchantId: number
  placeId: number
  templateId: number
  addChair(sid: string, sleepTemplateId?: number): Promise<number>
  addGoods(goods: GoodsToAdd): Promise<number>
  phone(): TestPhone
  /** Does the jobs of orders and payments that wait, now; commands are not sent. */
  work(): Promise<void>
  /** A customer pays at WeChat, and we learn of it. */
  pay(orderId: string): Promise<void>
  /** A chair's answers to a start. */
  acknowledge(sid: string, commandId: string, reason?: string): Promise<void>
  end(sid: string, commandId: string, deliveredSeconds: number): Promise<void>
  /** The time to acknowledge a command is over. */
  silence(commandId: string): Promise<void>
  statusOf(orderId: string): Promise<number>
  stop(): Promise<void>
}

/**
 * A merchant `spa` of the agent `north` with a place and a template, another merchant `gym` of `south`, an admin, a
 * played WeChat over HTTP: everything an order meets but the boards and the broker.
 */
export async function startTestShop(): Promise<TestShop> {
  const log = pino({ level: 'silent' })
  let payments: PaymentServices | undefined
  const server = await startTestServer(({ database, secrets }) => {
    payments = {
      db: database.db,
      channels: createPayChannels(secrets),
      outcomes: paymentOutcomes,
      publicUrl: 'http://127.0.0.1:9',
      log,
    }
    const orderCalls = createOrderCalls({
      payments,
      timeZone: testTimeZone,
      paymentWindowSeconds,
      pictureUrl: (key) => `/pictures/${key}`,
      wechatSignInUrl: async () => 'https://wechat.example/',
    })
    const reportCalls = [...createOrderDaysCalls(testTimeZone), ...createIncomeLineCalls(testTimeZone)]
    return [...catalogueCalls, ...orderCalls, ...reportCalls]
  })
  if (!payments) throw new Error('the server was started without calls')
  const services = payments
  const { db, pool } = server
  const wechat = await startWechatSandbox({ port: 0, timeFactor: 200, refundMs: 5 })
  wechat.faults.silentNotices = true
  const { merchant } = wechat
  const settings = WechatSettings.parse({
    ...merchant,
    baseUrl: wechat.url,
    platformKeys: { [merchant.platformSerial]: merchant.platformPublicKeyPem },
    timeoutMs: 20_000,
  })
  const channelId = await addPayChannel(db, server.secrets, {
    organisationId: 1,
    name: 'wechatPay',
    settings,
  })
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  const north = await addOrganisation(server, 'agent', 'north')
  const south = await addOrganisation(server, 'agent', 'south')
  const merchantId = await addOrganisation(server, 'merchant', 'spa', north)
  const otherMerchantId = await addOrganisation(server, 'merchant', 'gym', south)

  const idOf = async (text: string, values: unknown[]) =>
    (await pool.query<{ id: number }>(text, values)).rows[0]?.id ?? 0
  const placeId = await idOf(
    `insert into places (merchant_id, address, phone) values ($1, 'the hall', '021') returning id`,
    [merchantId],
  )
  const templateId = await idOf(
    `insert into goods_templates (merchant_id, name, work_mode) values ($1, 'massage', 0) returning id`,
    [merchantId],
  )
  const modelId = await idOf(`insert into device_models (model) values ('M1') returning id`, [])

  const work = async (jobs: readonly JobHandler[]) => {
    const kinds = jobs.map(({ kind }) => kind.name)
    await pool.query(
      `update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = any($1)`,
      [kinds],
    )
    await runJobs({ pool, db, log }, jobs)
  }
  const usual = [
    ...silentRunJobs,
    ...createAbandonedCommandJobs(30),
    ...orderJobs,
    ...createPaymentJobs(services),
  ]

  return {
    ...server,
    payments: services,
    wechat,
    channelId,
    merchantId,
    otherMerchantId,
    placeId,
    templateId,
    async addChair(sid, sleepTemplateId) {
      const id = await idOf(
        `insert into devices (sid, name, model_id, merchant_id, place_id, template_id, sleep_template_id, bound, credential_hash)
         values ($1, $1, $2, $3, $4, $5, $6, true, '') returning id`,
        [sid, modelId, merchantId, placeId, templateId, sleepTemplateId ?? null],
      )
      await pool.query('insert into device_states (device_id, status, last_seen_at) values ($1, 1, now())', [
        id,
      ])
      return id
    },
    addGoods: (goods) =>
      idOf(
        `insert into goods (template_id, merchant_id, name, price_cents, duration_minutes, stock, queue, free_first, member_only,
                            time_limited, time_start, time_end)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
        [
          goods.templateId ?? templateId,
          merchantId,
          goods.name,
          goods.priceCents ?? 500,
          goods.minutes ?? 10,
          goods.stock ?? -1,
          goods.queue ?? 0,
          goods.freeFirst ?? false,
          goods.memberOnly ?? false,
          goods.days !== undefined,
          goods.days?.[0] ?? null,
          goods.days?.[1] ?? null,
        ],
      ),
    phone: () => createPhone(server, settings.appId),
    work: () => work(usual),
    async pay(orderId) {
      wechat.pay(`${orderId}01`)
      await work(usual)
    },
    async acknowledge(sid, commandId, reason = '') {
      await storeAcknowledgement(db, { sid, commandId, accepted: reason === '', reason, at: new Date() })
      await work(usual)
    },
    async end(sid, commandId, deliveredSeconds) {
      await storeEnd(db, { sid, commandId, deliveredSeconds, at: new Date() })
      await work(usual)
    },
    async silence(commandId) {
      const silent = createCommandJobs({ sendCommand: async () => undefined }, 30, server.secrets)
      await pool.query(
        `update device_commands set created_at = created_at - interval '1 hour' where id = $1`,
        [commandId],
      )
      await work(silent)
      const { rows } = await pool.query<{ state: string }>(
        'select state from device_commands where id = $1',
        [commandId],
      )
      if (rows[0]?.state !== 'timedOut') throw new Error(`the command ${commandId} is ${rows[0]?.state}`)
      await work(usual)
    },
    async statusOf(orderId) {
      const { rows } = await pool.query<{ status: number }>('select status from orders where order_id = $1', [
        orderId,
      ])
      return rows[0]?.status ?? 0
    },
    async stop() {
      await wechat.stop()
      await server.stop()
    },
  }
}

let phones = 0

function createPhone({ app, db }: TestServer, appId: string): TestPhone {
  const phone = { cookie: '' }
  let presses = 0
  // Each from an address of its own, so that no limit of calls is met.
  phones++
  const remoteAddress = `10.${phones >> 16}.${(phones >> 8) & 255}.${phones & 255}`
  async function ask<Data>(method: 'GET' | 'POST', url: string, payload?: object): Promise<Envelope<Data>> {
    const headers = phone.cookie ? { cookie: phone.cookie } : {}
    const answer = await app.inject({ method, url, remoteAddress, headers, ...(payload ? { payload } : {}) })
    const set = answer.headers['set-cookie']
    if (set) phone.cookie = String(set).split(';')[0] ?? ''
    return answer.json<Envelope<Data>>()
  }
  return {
    get cookie() {
      return phone.cookie
    },
    page: (sid) => ask('GET', `/api/pay/devices/${sid}`),
    place: (sid, goodsId, requestKey = `press ${++presses}`, seen = {}) =>
      ask('POST', '/api/pay/orders', { deviceId: sid, goodsId, payWay: 'native', requestKey, ...seen }),
    order: (orderId) => ask('GET', `/api/pay/orders/${orderId}`),
    press: (orderId, what) => ask('POST', `/api/pay/orders/${orderId}/${what}`, {}),
    async signInAs(openId, app = appId) {
      const { id } = await customerOf(db, phone.cookie.split('=')[1] ?? '')
      await storeOpenId(db, id, app, openId)
    },
  }
}
