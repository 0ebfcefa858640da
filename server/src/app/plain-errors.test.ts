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

it('an address or a port that cannot be had is told in a sentence that names its setting', async () => {
  const listen = (host: string) =>
    new Promise<unknown>((resolve) => net.createServer().once('error', resolve).listen(0, host))
  expect(plainSentence(await listen('192.0.2.1'))).toMatch(/^192\.0\.2\.1 is none of this machine: see HOST/)
  const forbidden = Object.assign(new Error('listen EACCES'), {
    code: 'EACCES',
    port: 80,
    address: '0.0.0.0',
  })
  expect(plainSentence(forbidden)).toMatch(/^Not allowed to listen on port 80\. .*PORT/)
  const unwritable = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/srv/data' })
  expect(plainSentence(unwritable)).toMatch(/^Not allowed to write \/srv\/data\./)
})
