import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createCalls } from '../app/calls.ts'
import { newOrderId } from '../orders/order-id.ts'
import { paymentOutcomes } from '../orders/settle-payment.ts'
import { createPayChannels } from '../payments/pay-channels.ts'
import { createLiveDevices } from '../devices/live-devices.ts'
import { createSessionGate } from '../identity/session-gate.ts'
import { createDiskStore } from '../kit/object-store/disk-store.ts'
import type { DatabasePool } from '../kit/database.ts'
import { createSessionCalls } from '../identity/session-calls.ts'
import type { Senders } from '../notifications/senders/sender.ts'
import { makeDataFolder } from './temporary-data.ts'
import { addAccount, addOrganisation, startTestServer, testTimeZone, type TestServer } from './test-server.ts'

/** What belongs to one merchant of the test network. */
export interface OwnedRows {
  merchantId: number
  agentId: number
  /** Sub-accounts of both. */
  merchantClerkId: number
  agentClerkId: number
  placeId: number
  templateId: number
  goodsId: number
  deviceId: number
  deviceSid: string
  orderId: string
  refundId: number
  transactionId: string
  /** That the device is offline; open. */
  alertId: number
  /** A view of the merchant's list of orders, shared with its clerk. */
  viewId: number
  /** Where the merchant is notified. */
  receiverId: number
}

export interface TestNetwork extends TestServer {
  app: FastifyInstance
  /** Two merchants under two agents; each has an order of each kind, a refund that waits, and a device. */
  ours: OwnedRows
  theirs: OwnedRows
  /** Where pictures are kept. */
  pictureFolder: string
  /** Tokens of a user of each type: `admin`, and of our side `agent`, `merchant`, `subAgent`, `subMerchant`. */
  tokens: Record<'admin' | 'agent' | 'merchant' | 'subAgent' | 'subMerchant', string>
}

/** Any address is a mailbox, and nothing is sent anywhere. */
const noSenders: Senders = {
  weCom: undefined,
  dingTalk: undefined,
  feishu: undefined,
  email: {
    readAddress: (text) => text,
    maskAddress: () => '****',
    send: async () => ({ outcome: 'sent' }),
  },
  webhook: undefined,
}

/** Every call of the product on a small network of two sides that must not see each other. */
export async function startTestNetwork(): Promise<TestNetwork> {
  const data = makeDataFolder()
  const server = await startTestServer(({ database, secrets }) => {
    const gate = createSessionGate(database.db, 7200)
    const payments = {
      db: database.db,
      channels: createPayChannels(secrets),
      outcomes: paymentOutcomes,
      publicUrl: 'http://127.0.0.1:1',
      log: pino({ level: 'silent' }),
    }
    const served = new Set(createSessionCalls(gate, secrets).map(({ endpoint }) => endpoint))
    const live = createLiveDevices(database.db, { everyMs: 50, onError: () => undefined })
    const settings = { timeZone: testTimeZone, paymentWindowSeconds: 300 }
    const pictures = createDiskStore(data.folder)
    const receivers = { senders: noSenders, secrets, publicUrl: payments.publicUrl }
    return createCalls({ gate, secrets, payments, pictures, receivers, live, ...settings }).filter(
      ({ endpoint }) => !served.has(endpoint),
    )
  })
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  await server.pool.query(`insert into device_models (id, model) values (1, 'M')`)
  const ours = await addSide(server, 'our', 'G1')
  const theirs = await addSide(server, 'their', 'G2')
  const tokens = {
    admin: await server.signIn('admin'),
    agent: await server.signIn('our-agent'),
    merchant: await server.signIn('our-merchant'),
    subAgent: await server.signIn('our-agent-clerk'),
    subMerchant: await server.signIn('our-merchant-clerk'),
  }
  const stop = async () => {
    await server.stop()
    data.remove()
  }
  return { ...server, ours, theirs, tokens, pictureFolder: data.folder, stop }
}

async function addSide(server: TestServer, name: string, deviceSid: string): Promise<OwnedRows> {
  const agentId = await addOrganisation(server, 'agent', `${name}-agent`)
  const merchantId = await addOrganisation(server, 'merchant', `${name}-merchant`, agentId)
  const agentClerkId = await addAccount(server, {
    organisationId: agentId,
    userName: `${name}-agent-clerk`,
    isOwner: false,
    tree: 'agent',
  })
  const clerk = await addAccount(server, {
    organisationId: merchantId,
    userName: `${name}-merchant-clerk`,
    isOwner: false,
    tree: 'merchant',
  })
  const placeId = await insertId(
    server,
    `insert into places (merchant_id, address) values ($1, 'hall') returning id`,
    [merchantId],
  )
  await server.pool.query('insert into account_places values ($1, $2)', [clerk, placeId])
  const templateId = await insertId(
    server,
    `insert into goods_templates (merchant_id, name, work_mode) values ($1, 'T', 0) returning id`,
    [merchantId],
  )
  const goodsId = await insertId(
    server,
    `insert into goods (template_id, merchant_id, name, price_cents, duration_minutes) values ($1, $2, $3, 500, 10) returning id`,
    [templateId, merchantId, `${name}-goods`],
  )
  const deviceId = await insertId(
    server,
    `insert into devices (sid, model_id, merchant_id, place_id, template_id, bound, credential_hash) values ($1, 1, $2, $3, $4, true, '') returning id`,
    [deviceSid, merchantId, placeId, templateId],
  )
  await server.pool.query(
    'insert into device_states (device_id, status, last_seen_at) values ($1, 1, now()) on conflict (device_id) do update set status = 1',
    [deviceId],
  )
  await server.pool.query(
    `insert into device_status_history (device_id, merchant_id, sid, status, reported_at) values ($1, $2, $3, 1, now())`,
    [deviceId, merchantId, deviceSid],
  )
  await server.pool.query(
    `insert into income_days (merchant_id, day, other_income_cents, other_count) values ($1, current_date, 777, 1)`,
    [merchantId],
  )
  const owner = { merchantId, placeId, deviceId, deviceSid }
  const orderId = await addOrder(server, owner, 3)
  const refunded = await addOrder(server, owner, 5)
  const refundId = await insertId(
    server,
    `insert into refunds (order_id, order_time, merchant_id, place_id, device_sid, price_cents, status, created_by)
     select order_id, order_time, merchant_id, place_id, device_sid, 100, 5, 'test' from orders where order_id = $1 returning id`,
    [refunded],
  )
  const alertId = await insertId(
    server,
    `with raised as (
       insert into device_alerts (kind, merchant_id, place_id, began_at, grown_at, raised_at, devices, most_devices, times)
       values ('offline', $1, $2, now(), now(), now(), 1, 1, 1) returning id),
     joined as (insert into device_alert_devices (alert_id, device_id, since, times) select id, $3, now(), 1 from raised),
     muted as (insert into device_mutes (device_id, muted_until, muted_by) values ($3, now() + interval '1 hour', 'somebody'))
     select id from raised`,
    [merchantId, placeId, deviceId],
  )
  const viewId = await insertId(
    server,
    `insert into saved_views (account_id, organisation_id, screen, name, query, shared)
     select id, organisation_id, '/orders', 'mine', '', true from accounts where organisation_id = $1 and is_owner returning id`,
    [merchantId],
  )
  const receiverId = await insertId(
    server,
    `insert into notification_receivers (organisation_id, name, kind, sealed_address, shown_address, language, events)
     values ($1, $2, 'email', $3, 'm…@example.com', 'en', '{alertRaised}') returning id`,
    [merchantId, `${name}-mailbox`, server.secrets.seal('mailbox@example.com')],
  )
  const clerks = { merchantClerkId: clerk, agentClerkId }
  return {
    merchantId,
    agentId,
    ...clerks,
    placeId,
    templateId,
    goodsId,
    deviceId,
    deviceSid,
    orderId,
    refundId,
    transactionId: `42${orderId}`,
    alertId,
    viewId,
    receiverId,
  }
}

async function insertId(
  { pool }: Pick<DatabasePool, 'pool'>,
  text: string,
  values: unknown[],
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(text, values)
  if (!rows[0]) throw new Error('nothing was inserted')
  return rows[0].id
}

let offsetMs = 0

async function addOrder(
  { pool }: Pick<DatabasePool, 'pool'>,
  owner: { merchantId: number; placeId: number; deviceId: number; deviceSid: string },
  status: number,
): Promise<string> {
  const time = new Date(Date.now() - 60_000 + offsetMs++)
  const orderId = newOrderId('KT', time)
  await pool.query(
    `insert into orders (order_id, order_time, merchant_id, place_id, device_id, device_sid, duration_minutes, fee_cents, status, pay_channel, transaction_id, paid_at)
     values ($1, $2, $3, $4, $5, $6, 10, 500, $7, 'manualStart', $8, $2)`,
    [orderId, time, owner.merchantId, owner.placeId, owner.deviceId, owner.deviceSid, status, `42${orderId}`],
  )
  return orderId
}
