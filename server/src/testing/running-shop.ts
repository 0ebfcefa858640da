import { startSimulatedChairs, type SimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import type { Envelope, SessionUser } from '@chairside/contract'
import { pino, type Logger } from 'pino'
import { startServer, type RunningServer } from '../app/start-server.ts'
import { readConfig } from '../config.ts'
import { openDatabase, type DatabasePool } from '../kit/database.ts'
import { createDeviceCredentials, type DeviceCredentials } from '../devices/device-credentials.ts'
import { createSecretBox } from '../kit/secrets.ts'
import { createTestDatabase } from './test-database.ts'
import { addAccount, addOrganisation, testPassword } from './test-server.ts'

/** A whole server with chairs of a merchant `spa` and of another, `gym`; an admin. */
export interface RunningShop extends DatabasePool {
  server: RunningServer
  chairs: SimulatedChairs
  credentials: DeviceCredentials
  passwords: Map<string, string>
  merchantId: number
  otherMerchantId: number
  idOf(sid: string): number
  call<Data = unknown>(
    verb: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    sent?: { token?: string; body?: unknown },
  ): Promise<Envelope<Data>>
  signIn(userName: string): Promise<string>
  stop(): Promise<void>
}

const secretKey = 'a secret key of a test, long enough'

/**
 * @param sids chairs of `spa`, which come online
 * @param timeFactor how much faster than ours the chairs' time passes
 */
export async function startRunningShop(
  sids: readonly string[],
  {
    otherSids = [],
    timeFactor = 20,
    log = pino({ level: 'silent' }),
  }: { otherSids?: readonly string[]; timeFactor?: number; log?: Logger } = {},
): Promise<RunningShop> {
  const testDatabase = await createTestDatabase()
  const server = await startServer(
    readConfig({
      DATABASE_URL: testDatabase.url,
      SECRET_KEY: secretKey,
      PUBLIC_URL: 'http://chairs.example.com',
      HOST: '127.0.0.1',
      PORT: '0',
      MQTT_HOST: '127.0.0.1',
      MQTT_PORT: '0',
      START_ACK_SECONDS: '2',
      LOG_LEVEL: 'silent',
    }),
    log,
  )
  const database = openDatabase(testDatabase.url)
  await addAccount(database, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  const merchantId = await addOrganisation(database, 'merchant', 'spa')
  const otherMerchantId = await addOrganisation(database, 'merchant', 'gym')
  const credentials = createDeviceCredentials(createSecretBox(secretKey))
  await database.pool.query(`insert into device_models (id, model) values (1, 'M-9')`)
  const passwords = new Map<string, string>()
  const ids = new Map<string, number>()
  const add = async (sid: string, merchant: number) => {
    const { password, hash } = credentials.issue(sid)
    passwords.set(sid, password)
    const { rows } = await database.pool.query<{ id: number }>(
      `with made as (
         insert into devices (sid, name, model_id, merchant_id, bound, credential_hash) values ($1, $1, 1, $2, true, $3) returning id)
       insert into device_states (device_id) select id from made returning device_id as id`,
      [sid, merchant, hash],
    )
    ids.set(sid, rows[0]?.id ?? 0)
  }
  for (const sid of sids) await add(sid, merchantId)
  for (const sid of otherSids) await add(sid, otherMerchantId)
  const chairs = startSimulatedChairs({
    mqttUrl: server.mqttUrl,
    chairs: sids.map((sid) => ({ sid, password: passwords.get(sid) ?? '', model: 'M-9' })),
    timeFactor,
    spreadMs: 0,
    heartbeatSeconds: 1,
    reconnectPauseMs: { shortest: 20, longest: 100 },
  })
  const call: RunningShop['call'] = async (verb, path, { token, body } = {}) => {
    const answer = await fetch(server.url + path, {
      method: verb,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { 'x-access-token': token }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Envelope<never>
  }
  return {
    ...database,
    server,
    chairs,
    credentials,
    passwords,
    merchantId,
    otherMerchantId,
    call,
    idOf: (sid) => ids.get(sid) ?? 0,
    async signIn(username) {
      const body = { username, password: testPassword }
      const { data } = await call<SessionUser>('POST', '/api/sessions/login', { body })
      return data.token
    },
    async stop() {
      await chairs.stop()
      await server.stop()
      await database.close()
      await testDatabase.drop()
    },
  }
}
