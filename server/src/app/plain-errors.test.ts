import net from 'node:net'
import pg from 'pg'
import { expect, it } from 'vitest'
import { plainSentence } from './plain-errors.ts'

it('a database that takes connections and never answers is told in a sentence', async () => {
  const sockets = new Set<net.Socket>()
  const silent = net.createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as net.AddressInfo
  const waiting = { connectionString: `postgres://a:b@127.0.0.1:${port}/c`, connectionTimeoutMillis: 200 }
  const pool = new pg.Pool(waiting)
  const tries = [new pg.Client(waiting).connect(), pool.query('select 1')]
  for (const outcome of await Promise.allSettled(tries)) {
    const { reason } = outcome as PromiseRejectedResult
    expect(plainSentence(reason)).toMatch(/^The database in DATABASE_URL does not answer/)
  }
  await pool.end()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => silent.close(resolve))
})
