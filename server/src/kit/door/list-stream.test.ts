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

let server: TestServer
let port: number
let token: string
/** Lists of which rows are being read. */
let open = 0
let begun = 0
let untilFirstRow = Promise.resolve()

beforeAll(async () => {
  server = await startTestServer(() => [
    handleList(listThings, {
      page: async () => ({ list: [], total: 0 }),
      rows: async function* ({ db }) {
        open++
        begun++
        try {
          await untilFirstRow
          yield* streamRows(
            db,
            sql<{ name: string }>`select repeat('thing', 50) as name from generate_series(1, 3000000)`,
          )
        } finally {
          open--
        }
      },
    }),
  ])
  await addOrganisation(server, 'merchant', 'spa')
  token = await server.signIn('spa')
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  ;({ port } = server.app.server.address() as net.AddressInfo)
})
afterAll(() => server.stop())

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Asks for all rows; the caller has the line in hand. */
async function ask(accept: string, encoding: string): Promise<net.Socket> {
  const before = begun
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.write(
    `GET /api/test/many?pagesize=0 HTTP/1.1\r\nHost: here\r\nAccept: ${accept}\r\nAccept-Encoding: ${encoding}\r\nX-Access-Token: ${token}\r\n\r\n`,
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
    const socket = await ask(accept, encoding)
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
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
