import net from 'node:net'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
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

it('a connection that breaks off is told in a sentence', async () => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  client.on('error', () => undefined)
  await client.connect()
  const endsItself = client.query('select pg_terminate_backend(pg_backend_pid())')
  const tries = [endsItself, client.query('select 1'), endsItself.catch(() => client.query('select 1'))]
  for (const outcome of await Promise.allSettled(tries)) {
    const { reason } = outcome as PromiseRejectedResult
    expect(plainSentence(reason)).toMatch(/^The connection to the database broke off/)
  }
})

it('an address or a port that cannot be had is told in a sentence that names its setting', async () => {
  const listen = (host: string) =>
    new Promise<unknown>((resolve) => net.createServer().once('error', resolve).listen(0, host))
  expect(plainSentence(await listen('192.0.2.1'))).toMatch(
    /^This machine does not have the address 192\.0\.2\.1: see HOST/,
  )
  const forbidden = Object.assign(new Error('listen EACCES'), {
    code: 'EACCES',
    port: 80,
    address: '0.0.0.0',
  })
  expect(plainSentence(forbidden)).toMatch(/^Not allowed to listen on port 80\. .*PORT/)
  const unwritable = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/srv/data' })
  expect(plainSentence(unwritable)).toMatch(/^Not allowed to write \/srv\/data\./)
})

it('what TLS, a missing password or a missing extension says is told in a sentence', async () => {
  // A database that answers no to the question for TLS.
  const plain = net
    .createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end('N')))
    .listen(0, '127.0.0.1')
  await new Promise((resolve) => plain.once('listening', resolve))
  const { port } = plain.address() as net.AddressInfo
  const refused = await new pg.Client({
    connectionString: `postgres://a:b@127.0.0.1:${port}/c?sslmode=verify-full`,
  })
    .connect()
    .catch((error: unknown) => error)
  expect(plainSentence(refused)).toMatch(/^The database speaks no TLS, which DATABASE_URL asks for/)
  await new Promise((resolve) => plain.close(resolve))

  const withCode = (code: string, words: string) => plainSentence(Object.assign(new Error(words), { code }))
  expect(
    withCode('28000', 'no pg_hba.conf entry for host "10.0.0.7", user "a", database "c", no encryption'),
  ).toMatch(/without TLS .*sslmode=verify-full/)
  expect(
    withCode('28000', 'no pg_hba.conf entry for host "10.0.0.7", user "a", database "c", SSL encryption'),
  ).toMatch(/^The database does not let DATABASE_URL in from this machine/)
  expect(withCode('28000', 'role "nobody" does not exist')).toMatch(/refuses the user name or password/)
  expect(withCode('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain')).toMatch(
    /not trusted \(self-signed .*NODE_EXTRA_CA_CERTS/,
  )
  expect(withCode('EAI_AGAIN', 'getaddrinfo EAI_AGAIN db')).toMatch(/^Nothing answers at/)
  expect(withCode('0A000', 'extension "ltree" is not available')).toMatch(/^The database lacks an extension/)
})
