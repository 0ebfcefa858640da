import { once } from 'node:events'
import net from 'node:net'
import { endpoint, listOf, paging } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addOrganisation, startTestServer, type TestServer } from '../../testing/test-server.ts'
import { handleList } from '../call.ts'
import { sql, streamRows } from '../database.ts'

const listThings = endpoint({
  verb: 'GET',
  path: '/api/test/many',
  summary: 'A list without end',
  needs: 'order.list',
  input: z.object({ ...paging }),
  data: listOf(z.object({ name: z.string() })),
  refuses: [],
  sheet: {
    fileName: 'many.xlsx',
    columns: [{ field: 'name', text: 'orders.field.goodsName', kind: 'text' }],
  },
})

const listNumbers = endpoint({
  verb: 'GET',
  path: '/api/test/numbers',
  summary: 'A list that is counted, with more beside it',
  needs: 'order.list',
  input: z.object({ ...paging }),
  data: listOf(z.object({ n: z.int() })).extend({ more: z.boolean() }),
  refuses: [],
})
const numbers = 2500
const things = 3_000_000

/** How long the server waits for somebody who reads nothing; one that is impatient, and one that waits for ever. */
const unreadPatienceMs = 2000

let server: TestServer
let patient: TestServer
let token: string
let patientToken: string
/** Lists of which rows are being read. */
let open = 0
let begun = 0
/** Rows that were read of all lists. */
let read = 0
let untilFirstRow = Promise.resolve()

async function start(patienceMs: number): Promise<TestServer> {
  const started = await startTestServer(
    () => [
      handleList(listThings, {
        page: async () => ({ list: [], total: things }),
        rows: async function* ({ db }) {
          open++
          begun++
          try {
            await untilFirstRow
            const all = sql<{
              name: string
            }>`select repeat('thing', 50) as name from generate_series(1, ${things}::int)`
            for await (const fetched of streamRows(db, all)) {
              read += fetched.length
              yield fetched
            }
          } finally {
            open--
          }
        },
      }),
      handleList(listNumbers, {
        page: async ({ input: { pagesize, pagenum } }) => {
          const first = (pagenum - 1) * pagesize + 1
          const last = Math.min(numbers, first + pagesize - 1)
          const list = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
            n: first + index,
          }))
          return { list, total: numbers, more: true }
        },
        rows: ({ db }) =>
          streamRows(
            db,
            sql<{ n: number }>`select n from generate_series(1, ${numbers}::int) as n order by n`,
          ),
      }),
    ],
    { unreadPatienceMs: patienceMs },
  )
  await addOrganisation(started, 'merchant', 'spa')
  await started.app.listen({ host: '127.0.0.1', port: 0 })
  return started
}
beforeAll(async () => {
  server = await start(unreadPatienceMs)
  patient = await start(600_000)
  token = await server.signIn('spa')
  patientToken = await patient.signIn('spa')
})
afterAll(async () => {
  await server.stop()
  await patient.stop()
})

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

interface Numbers {
  list: { n: number }[]
  total: number
  more?: boolean
}
const ofNumbers = async (pagesize: number, pagenum: number) =>
  (await server.call<Numbers>('GET', `/api/test/numbers?pagesize=${pagesize}&pagenum=${pagenum}`, { token }))
    .body.data

describe('a page', () => {
  it.each([999, 1000, 1001, 2499, 2500, 2501, 1_000_000])(
    'of %i rows is that page, whichever it is',
    async (size) => {
      const seen: number[] = []
      for (let pagenum = 1; pagenum <= Math.ceil(numbers / size) + 1; pagenum++) {
        const { list, ...beside } = await ofNumbers(size, pagenum)
        expect(beside).toEqual({ total: numbers, more: true })
        expect(list).toHaveLength(Math.max(0, Math.min(size, numbers - (pagenum - 1) * size)))
        seen.push(...list.map(({ n }) => n))
      }
      expect(seen).toEqual(Array.from({ length: numbers }, (_, index) => index + 1))
    },
  )

  it('of no size is all rows, whichever it is', async () => {
    for (const pagenum of [1, 2, 7]) {
      const { list, total } = await ofNumbers(0, pagenum)
      expect([list.length, total]).toEqual([numbers, numbers])
    }
  })

  it('reads no further than its last row, and lets go of the connection', async () => {
    const before = begun
    const { body } = await server.call<Numbers>('GET', '/api/test/many?pagesize=1500&pagenum=2', { token })
    expect(body.data.list).toHaveLength(1500)
    expect(begun).toBe(before + 1)
    await expect.poll(() => open).toBe(0)
    await expect.poll(() => server.pool.totalCount - server.pool.idleCount).toBe(0)
  })

  it('behind the last row reads none', async () => {
    const before = begun
    const path = '/api/test/many?pagesize=1000&pagenum=9007199254740'
    const { body } = await server.call<Numbers>('GET', path, { token })
    expect([body.data, begun]).toEqual([{ list: [], total: things }, before])
  })

  it('far down reads no further when its caller is gone', async () => {
    const before = read
    const socket = await ask('application/json', 'identity', 'pagesize=1000&pagenum=2900')
    socket.destroy()
    await expect.poll(() => open).toBe(0)
    expect(read - before).toBeLessThan(things / 2)
  })
})

async function connectTo({ app }: TestServer): Promise<net.Socket> {
  const { port } = app.server.address() as net.AddressInfo
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket.on('error', () => undefined)
}

/** Asks for all rows, or others; the caller has the line in hand. */
async function ask(accept: string, encoding: string, page = 'pagesize=0'): Promise<net.Socket> {
  const before = begun
  const socket = await connectTo(patient)
  socket.write(
    `GET /api/test/many?${page} HTTP/1.1\r\nHost: here\r\nAccept: ${accept}\r\nAccept-Encoding: ${encoding}\r\nX-Access-Token: ${patientToken}\r\n\r\n`,
  )
  await expect.poll(() => begun).toBe(before + 1)
  return socket
}

describe.each([
  ['as JSON', 'application/json', 'identity'],
  ['as packed JSON', 'application/json', 'gzip'],
  ['as Excel', sheetType, 'gzip'],
])('a long list %s', (_how, accept, encoding) => {
  it('is let go of when its caller goes while the first row is looked for', async () => {
    let find: () => void = () => undefined
    untilFirstRow = new Promise((resolve) => (find = resolve))
    const arrival = once(patient.app.server, 'connection')
    const socket = await ask(accept, encoding)
    const [arrived] = (await arrival) as [net.Socket]
    const isGone = once(arrived, 'close')
    socket.destroy()
    await isGone
    find()
    await expect.poll(() => open).toBe(0)
  })

  it('is let go of when its caller goes in the middle', async () => {
    const socket = await ask(accept, encoding)
    await once(socket, 'data')
    socket.destroy()
    await expect.poll(() => open).toBe(0)
  })

  it('is let go of when its caller goes after it did not read', async () => {
    const socket = await ask(accept, encoding)
    socket.pause()
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(open).toBe(1)
    socket.destroy()
    await expect.poll(() => open).toBe(0)
  })
})

describe.each([
  ['as JSON', 'application/json', 'identity'],
  ['as packed JSON', 'application/json', 'gzip'],
  ['as Excel', sheetType, 'gzip'],
])('a long list %s whose rows fail in the middle', (_how, accept, encoding) => {
  it('is cut off, so that nobody takes a part for the whole', async () => {
    const socket = await ask(accept, encoding)
    await once(socket, 'data')
    let end = ''
    socket.on('data', (chunk) => (end = chunk.subarray(-7).toString('latin1')))
    const { rows } = await server.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%repeat(''thing''%' and pid <> pg_backend_pid()`,
    )
    expect(rows).toHaveLength(1)
    await once(socket, 'close', { signal: AbortSignal.timeout(60_000) })
    expect(end.endsWith('0\r\n\r\n')).toBe(false)
    await expect.poll(() => open).toBe(0)
  })
})

describe('long lists that are not read', () => {
  const unread = async (accept: string, from: TestServer) => {
    const socket = await connectTo(from)
    const key = from === patient ? patientToken : token
    socket.pause()
    socket.write(
      `GET /api/test/many?pagesize=0 HTTP/1.1\r\nHost: here\r\nAccept: ${accept}\r\nX-Access-Token: ${key}\r\n\r\n`,
    )
    return socket
  }

  it.each([
    ['as JSON leave connections to the database for everybody else', 'application/json', 10],
    ['as Excel leave their places to the lists that pages read whole', sheetType, 0],
  ])('%s', async (_what, accept, pageSize) => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => unread(accept, patient)))
    await expect.poll(() => open).toBe(5)
    const path = `/api/test/numbers?pagesize=${pageSize}&pagenum=1`
    const { body } = await patient.call<Numbers>('GET', path, { token: patientToken })
    expect(body.data.list).toHaveLength(pageSize || numbers)
    expect(open).toBe(5)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => open).toBe(0)
  })

  it('end after a while, so that those that waited for a place have their turn, and end too', async () => {
    const before = begun
    const sockets = await Promise.all(Array.from({ length: 8 }, () => unread('application/json', server)))
    await expect.poll(() => begun).toBe(before + 8)
    await expect.poll(() => open).toBe(0)
    for (const socket of sockets) socket.destroy()
  })

  it('go on when they are read again in time', async () => {
    const socket = await unread('application/json', server)
    await expect.poll(() => open).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, unreadPatienceMs / 5))
    socket.resume()
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(100_000)
    socket.destroy()
    await expect.poll(() => open).toBe(0)
  })
})
