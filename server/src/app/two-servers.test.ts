import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { permissionIds, type DeviceRow, type Envelope, type SessionUser } from '@chairside/contract'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase, type DatabasePool } from '../kit/database.ts'
import { freePorts } from '../testing/free-ports.ts'
import { listenTo } from '../testing/listener.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { addAccount, addOrganisation, testPassword } from '../testing/test-server.ts'

const program = path.join(import.meta.dirname, '../main.ts')
let testDatabase: TestDatabase
let database: DatabasePool
let processes: ChildProcess[] = []
let here: string
let there: string
/** Where boards reach the other. */
let mqttThere: string

/** A production server in a process of its own, once it serves. */
async function startProcess(port: number, mqttPort: number): Promise<string> {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: testDatabase.url,
      SECRET_KEY: 'the key that two servers share, long enough',
      PUBLIC_URL: 'http://chairs.example.com',
      HOST: '127.0.0.1',
      PORT: String(port),
      MQTT_HOST: '127.0.0.1',
      MQTT_PORT: String(mqttPort),
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a server ended with ${code}`)))
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Chairside serves')) resolve()
    })
  })
  return `http://127.0.0.1:${port}`
}

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.url)
  await addAccount(database, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  const [first = 0, second = 0, firstMqtt = 0, secondMqtt = 0] = await freePorts(4)
  here = await startProcess(first, firstMqtt)
  there = await startProcess(second, secondMqtt)
  mqttThere = `mqtt://127.0.0.1:${secondMqtt}`
})

afterAll(async () => {
  await Promise.all(
    processes.map((child) => {
      if (child.exitCode !== null) return undefined
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      return ended
    }),
  )
  processes = []
  await database?.close()
  await testDatabase?.drop()
})

async function call<Data>(
  url: string,
  verb: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  sent: { token?: string; body?: unknown } = {},
): Promise<Envelope<Data>> {
  const answer = await fetch(url + path, {
    method: verb,
    headers: {
      'content-type': 'application/json',
      ...(sent.token ? { 'x-access-token': sent.token } : {}),
    },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  })
  return (await answer.json()) as Envelope<Data>
}

async function signIn(url: string, username: string): Promise<string> {
  const body = { username, password: testPassword }
  return (await call<SessionUser>(url, 'POST', '/api/sessions/login', { body })).data.token
}

/** How the other server answers: it reads who calls with each call, so that what was decided holds at once. */
const codeThere = async (token: string) => (await call(there, 'GET', '/api/orders', { token })).resultCode

describe('what is decided on one server', () => {
  let admin: string
  let other: number
  beforeAll(async () => {
    admin = await signIn(here, 'admin')
    other = await addOrganisation(database, 'agent', 'elsewhere')
  })

  it.each(['agent', 'merchant'] as const)('ends the sessions of a locked %s on the other', async (kind) => {
    const id = await addOrganisation(database, kind, `locked-${kind}`)
    const token = await signIn(there, `locked-${kind}`)
    expect((await call(there, 'GET', '/api/orders', { token })).resultCode).toBe('000')
    const lock = await call(here, 'PUT', `/api/${kind}/lock`, { token: admin, body: { id, option: '1' } })
    expect(lock.resultCode).toBe('000')
    expect(await codeThere(token)).toBe('02000')
    const again = { username: `locked-${kind}`, password: testPassword }
    expect((await call(there, 'POST', '/api/sessions/login', { body: again })).resultCode).toBe('102')
  })

  it('takes a right from an owner, and with it from its sub-account, on the other', async () => {
    const id = await addOrganisation(database, 'merchant', 'less')
    await addAccount(database, {
      organisationId: id,
      userName: 'less-clerk',
      isOwner: false,
      tree: 'merchant',
    })
    const tokens = await Promise.all(['less', 'less-clerk'].map((name) => signIn(there, name)))
    for (const token of tokens)
      expect((await call(there, 'GET', '/api/orders', { token })).resultCode).toBe('000')
    const all = permissionIds('merchant')
    const { rows } = await database.pool.query<{ id: number; ids: number[] }>(
      `select id, permission_ids as ids from accounts where user_name = 'less'`,
    )
    const body = { id, oldRoles: rows[0]?.ids ?? all, selectedRoles: [] }
    const granted = await call(here, 'POST', '/api/merchant/permissions', { token: admin, body })
    expect(granted).toMatchObject({ resultCode: '000' })
    for (const token of tokens) expect(await codeThere(token)).toBe('103')
  })

  it('changes what is seen at once, also of a list that was read just before', async () => {
    const id = await addOrganisation(database, 'agent', 'seeing')
    const shop = await addOrganisation(database, 'merchant', 'seen', id)
    const token = await signIn(there, 'seeing')
    const seen = async () =>
      (await call<{ total: number }>(there, 'GET', '/api/merchants/user', { token })).data.total
    for (let turn = 0; turn < 20; turn++) {
      expect(await seen()).toBe(1)
      const away = await call(here, 'PUT', '/api/merchant/move', {
        token: admin,
        body: { merchantIds: [shop], parentId: other },
      })
      expect(away.resultCode).toBe('000')
      expect(await seen()).toBe(0)
      await call(here, 'PUT', '/api/merchant/move', {
        token: admin,
        body: { merchantIds: [shop], parentId: id },
      })
    }
  })

  it('is seen by who looks at a device on the other, until the session ends', async () => {
    const id = await addOrganisation(database, 'merchant', 'watching')
    const { rows } = await database.pool.query<{ id: number }>(
      `with model as (insert into device_models (model) values ('M-live') returning id),
         made as (insert into devices (sid, model_id, merchant_id, bound, credential_hash) select 'G700', id, $1, true, '' from model returning id)
       insert into device_states (device_id, status) select id, 1 from made returning device_id as id`,
      [id],
    )
    const token = await signIn(there, 'watching')
    const listener = await listenTo(`${there}/api/devices/live?deviceids=G700`, token)
    const within = { timeout: 30_000, interval: 50 }
    await vi.waitFor(() => expect(listener.events).toHaveLength(1), within)
    const body = { id: rows[0]?.id, option: '1' }
    expect(await call(here, 'PUT', '/api/device/lock', { token: admin, body })).toMatchObject({
      success: true,
    })
    await vi.waitFor(
      () =>
        expect(listener.events).toContainEqual({
          event: 'devices',
          data: [expect.objectContaining({ locked: 2 })],
        }),
      within,
    )
    await call(here, 'PUT', '/api/merchant/lock', { token: admin, body: { id, option: '1' } })
    await vi.waitFor(() => expect(listener.hasEnded).toBe(true), within)
    listener.leave()
  })

  it('ends the connection of a board there when its device is removed here, for good', async () => {
    await database.pool.query(
      `insert into device_models (id, model) overriding system value values (900, 'M-gone')`,
    )
    const boards: MqttClient[] = []
    const connect = async (password: string) => {
      const board = await connectAsync(mqttThere, {
        clientId: 'G800',
        username: 'G800',
        password,
        protocolVersion: 4,
        reconnectPeriod: 0,
      })
      boards.push(board)
      return board
    }
    const speak = (board: MqttClient) => {
      const state = { bootId: 'b1', signal: 5, network: 'wifi', running: null, ended: null, trouble: '' }
      return board.publishAsync('v1/devices/G800/status', JSON.stringify({ v: 1, ...state }), { qos: 1 })
    }
    const add = async () => {
      const body = { deviceid: 'G800', name: 'chair', modelid: 900 }
      return (
        await call<{ id: number; password: string }>(here, 'POST', '/api/device', { token: admin, body })
      ).data
    }
    const shown = async () => {
      const { data } = await call<{ list: DeviceRow[] }>(here, 'GET', '/api/devices?deviceid=G800', {
        token: admin,
      })
      return data.list.map(({ status, lastSeenTime }) => ({ status, isKnown: lastSeenTime !== null }))
    }
    const within = { timeout: 30_000, interval: 50 }

    const first = await add()
    const board = await connect(first.password)
    await speak(board)
    await vi.waitFor(async () => expect(await shown()).toEqual([{ status: 1, isKnown: true }]), within)
    const lost = new Promise((resolve) => board.once('close', () => resolve(true)))
    const removed = await call(here, 'DELETE', `/api/device?id=${first.id}`, { token: admin })
    expect(removed).toMatchObject({ success: true })
    await expect(lost).resolves.toBe(true)

    const second = await add()
    expect(second.id).toBe(first.id)
    await expect(connect(first.password)).rejects.toThrow('Not authorized')
    expect(await shown()).toEqual([{ status: 2, isKnown: false }])
    await speak(await connect(second.password))
    await vi.waitFor(async () => expect(await shown()).toEqual([{ status: 1, isKnown: true }]), within)
    await Promise.all(boards.map((one) => one.endAsync(true)))
  })

  it('ends all sessions of whoever signs out everywhere', async () => {
    await addOrganisation(database, 'agent', 'everywhere')
    const [one, other] = [await signIn(here, 'everywhere'), await signIn(there, 'everywhere')]
    expect((await call(here, 'DELETE', '/api/sessions', { token: one })).resultCode).toBe('000')
    expect(await codeThere(other)).toBe('02000')
  })
})
