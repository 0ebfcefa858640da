import { Writable } from 'node:stream'
import mqtt, { type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { deviceForSale } from './device-for-sale.ts'
import { startRunningShop, type RunningShop } from '../testing/running-shop.ts'

/* Boards as no maker would admit to have built them, before a whole server: each has its plain line in the log. */

interface Line {
  msg: string
  kind?: string
  clientId?: string
  topic?: string
  level: number
}

let shop: RunningShop
let lines: Line[] = []
const errorLevel = 50
/** What failed of ours, over all tests. */
const faults: Line[] = []
let boards: MqttClient[] = []
beforeAll(async () => {
  const keep = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const line = JSON.parse(chunk.toString()) as Line
      lines.push(line)
      if (line.level >= errorLevel) faults.push(line)
      done()
    },
  })
  shop = await startRunningShop(['G1'], {
    otherSids: ['G2', 'G3', 'G4', 'G5', 'G6'],
    log: pino({ level: 'warn' }, keep),
  })
  await vi.waitUntil(async () => (await statusOf('G1')) === 1, within)
})
afterEach(() => {
  for (const board of boards) board.end(true)
  boards = []
  lines = []
})
afterAll(() => shop.stop())

const within = { timeout: 30_000, interval: 20 }
const state = { v: 1, bootId: 'b1', signal: 4, network: 'wifi', running: null, ended: null, trouble: '' }
const birth = { ...state, online: true, firmware: '1.0', model: 'M-9' }

async function statusOf(sid: string): Promise<number | undefined> {
  const { rows } = await shop.pool.query<{ status: number }>(
    'select status from device_states where device_id = $1',
    [shop.idOf(sid)],
  )
  return rows[0]?.status
}
const logged = (wanted: Partial<Line>) =>
  vi.waitFor(() => expect(lines).toEqual(expect.arrayContaining([expect.objectContaining(wanted)])), within)

function connect(sid: string, password = shop.passwords.get(sid) ?? ''): MqttClient {
  const board = mqtt.connect(shop.server.mqttUrl, {
    clientId: sid,
    username: sid,
    password,
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  board.on('error', () => undefined)
  boards.push(board)
  return board
}
async function connected(sid: string): Promise<MqttClient> {
  const board = connect(sid)
  await new Promise((resolve) => board.once('connect', resolve))
  return board
}
const say = (board: MqttClient, topic: string, payload: object | string) =>
  board.publish(
    topic,
    typeof payload === 'string' ? payload : JSON.stringify(payload),
    { qos: 1 },
    () => undefined,
  )
const gone = (board: MqttClient) => new Promise<void>((resolve) => board.once('close', () => resolve()))

describe('a board', () => {
  it('with the password of another, none, or the id of no device is not let in', async () => {
    const password = shop.passwords.get('G3')
    const strangers = [
      connect('G2', password),
      connect('G3', ''),
      connect('G404', password),
      connect('X1', password),
      connect('gateway', password),
    ]
    await Promise.all(strangers.map(gone))
    await logged({ msg: 'MQTT login refused', kind: 'broker.notAuthorized' })
    expect(strangers.map((board) => board.connected)).toEqual(strangers.map(() => false))
    expect([await statusOf('G2'), await statusOf('G3')]).toEqual([2, 2])
  })

  it('that floods is cut off, whoever it is', async () => {
    const board = await connected('G2')
    const left = gone(board)
    for (let at = 0; at < 400; at++) say(board, 'v1/devices/G2/status', { ...state, signal: at % 6 })
    await left
    await logged({ msg: 'MQTT connection closed: it sends more packets than it may', clientId: 'G2' })
    expect(board.connected).toBe(false)
  })

  it('that says broken things is not understood, and understood again when it speaks well', async () => {
    const board = await connected('G3')
    say(board, 'v1/devices/G3/birth', '{"v":1,')
    say(board, 'v1/devices/G3/status', { ...state, signal: 'full' })
    say(board, 'v1/devices/G3/event', { v: 1, event: 'ended', commandId: 'c', deliveredSeconds: -1 })
    say(board, 'v1/devices/G3/ack', { v: 1, id: "'; drop table orders; --", result: 'accepted' })
    say(board, 'v1/devices/G3/log', { v: 1, text: 'x'.repeat(2000) })
    await logged({ msg: 'Dropped a message', topic: 'v1/devices/G3/birth', kind: 'gateway.notJson' })
    await logged({ msg: 'Dropped a message', kind: 'gateway.wrongShape' })
    await logged({ msg: 'Dropped a message', kind: 'gateway.tooLarge' })
    expect(await statusOf('G3')).toBe(2)
    say(board, 'v1/devices/G3/birth', birth)
    await vi.waitUntil(async () => (await statusOf('G3')) === 1, within)
  })

  it('that speaks for another one is cut off, and changes nothing of it', async () => {
    const board = await connected('G4')
    const left = gone(board)
    say(board, 'v1/devices/G1/birth', { v: 1, online: false, bootId: 'b1' })
    await left
    await logged({
      clientId: 'G4',
      topic: 'v1/devices/G1/birth',
      msg: 'MQTT connection closed: it may not publish on this topic',
    })
    const listener = await connected('G4')
    const granted = await listener.subscribeAsync('v1/devices/+/command').catch(() => [{ qos: 128 }])
    expect(granted).toMatchObject([{ qos: 128 }])
  })

  it('that comes back after days tells of runs long given up, and is simply there again', async () => {
    const id = shop.idOf('G5')
    await shop.pool.query(
      `update device_states set status = 2, last_seen_at = now() - interval '9 days', status_since = now() - interval '9 days', boot_id = 'old',
              running_command_id = 'KT-old', running_until = now() - interval '9 days' where device_id = $1`,
      [id],
    )
    await shop.pool.query(
      `insert into device_commands (id, device_id, kind, order_id, payload, state, requested_by, created_at, ended_at)
       values ('KT-old', $1, 'start', 'KT2611120000000000001', '{"durationSeconds":600}', 'timedOut', 'test', now() - interval '9 days', now())`,
      [id],
    )
    const board = await connected('G5')
    say(board, 'v1/devices/G5/birth', { ...birth, ended: { commandId: 'KT-old', deliveredSeconds: 600 } })
    say(board, 'v1/devices/G5/event', {
      v: 1,
      event: 'ended',
      commandId: 'KT-old',
      deliveredSeconds: 600,
      ageSeconds: 604_800,
    })
    // Older than what a board may tell of.
    say(board, 'v1/devices/G5/event', { v: 1, event: 'started', commandId: 'KT-old', ageSeconds: 800_000 })
    await vi.waitUntil(async () => (await statusOf('G5')) === 1, within)
    await vi.waitFor(async () => {
      const { rows } = await shop.pool.query(
        `select running_command_id as running, (select state from device_commands where id = 'KT-old') as state
           from device_states where device_id = $1`,
        [id],
      )
      expect(rows).toEqual([{ running: '', state: 'ended' }])
    }, within)
  })

  it('that leaves a zero byte or half a character in its words is heard, and holds up nobody', async () => {
    const [one, other] = [await connected('G3'), await connected('G4')]
    say(one, 'v1/devices/G3/birth', birth)
    say(other, 'v1/devices/G4/birth', birth)
    await vi.waitUntil(async () => (await statusOf('G3')) === 1 && (await statusOf('G4')) === 1, within)
    say(one, 'v1/devices/G3/status', { ...state, trouble: 'E4\u0000\ud800' })
    say(other, 'v1/devices/G4/status', { ...state, trouble: 'E5' })
    await vi.waitUntil(async () => (await statusOf('G4')) === 3, within)
    say(one, 'v1/devices/G3/birth', { ...birth, trouble: 'E4\u0000\ud800', firmware: '1.1\u0000\u0000' })
    await vi.waitFor(async () => {
      const { rows } = await shop.pool.query(
        `select status, trouble_code as trouble, firmware from device_states s join devices d on d.id = s.device_id
          where d.id = $1`,
        [shop.idOf('G3')],
      )
      expect(rows).toEqual([{ status: 3, trouble: 'E4\ufffd', firmware: '1.1' }])
    }, within)
  })

  it('that wavers is sold by what it said last, at once, and written down less often', async () => {
    const board = await connected('G5')
    const changes = 60
    for (let change = 1; change <= changes; change++) {
      const isLast = change === changes
      const network = change % 2 ? 'gprs' : 'wifi'
      say(board, 'v1/devices/G5/birth', { ...birth, network, trouble: isLast ? 'E4' : '' })
    }
    const saleStatus = async () => (await deviceForSale(shop.db, 'G5'))?.status
    await vi.waitUntil(async () => (await saleStatus()) === 3, within)
    // Then it is quiet; nothing more is needed for its goodbye to be seen.
    say(board, 'v1/devices/G5/birth', { v: 1, online: false, bootId: 'b1' })
    await vi.waitUntil(async () => (await saleStatus()) === 2, within)
    await vi.waitUntil(async () => (await statusOf('G5')) === 2, within)
    const { rows } = await shop.pool.query<{ rows: number }>(
      'select count(*) as rows from device_status_history where device_id = $1',
      [shop.idOf('G5')],
    )
    expect(rows[0]?.rows).toBeLessThanOrEqual(21)
  })

  it('and another one of the same id push each other off, and the log says so', async () => {
    const first = await connected('G6')
    say(first, 'v1/devices/G6/birth', birth)
    await vi.waitUntil(async () => (await statusOf('G6')) === 1, within)
    const left = gone(first)
    const second = await connected('G6')
    await left
    say(second, 'v1/devices/G6/birth', { ...birth, bootId: 'b2' })
    await logged({
      clientId: 'G6',
      msg: 'MQTT connection closed: another one has signed in with the same client id',
    })
    await vi.waitFor(async () => {
      const { rows } = await shop.pool.query(
        'select status, boot_id as boot from device_states where device_id = $1',
        [shop.idOf('G6')],
      )
      expect(rows).toEqual([{ status: 1, boot: 'b2' }])
    }, within)
  })
})

it('none of them failed anything of ours, or the board beside them', async () => {
  expect(faults).toEqual([])
  expect(await statusOf('G1')).toBe(1)
  expect(shop.chairs.chair('G1').isConnected).toBe(true)
})
