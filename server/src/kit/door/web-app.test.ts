import { once } from 'node:events'
import net from 'node:net'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createWebApp, type WebAppOptions } from './web-app.ts'

/** The address that a caller has for us, behind so many proxies of ours. */
async function addressOf(trustProxy: number | false, forwarded: string): Promise<string> {
  const app = await createWebApp({ log: pino({ level: 'silent' }), callsPerMinute: 1000, trustProxy })
  app.get('/address', (request) => ({ ip: request.ip }))
  const answer = await app.inject({ path: '/address', headers: { 'x-forwarded-for': forwarded } })
  await app.close()
  return answer.json<{ ip: string }>().ip
}

it('believes of X-Forwarded-For what proxies of ours wrote, and never what a client wrote before them', async () => {
  const told = 'forged, 203.0.113.9, 198.51.100.7'
  expect(await addressOf(false, told)).toBe('127.0.0.1')
  expect(await addressOf(1, told)).toBe('198.51.100.7')
  expect(await addressOf(2, told)).toBe('203.0.113.9')
  expect(await addressOf(1, '203.0.113.9')).toBe('203.0.113.9')
})

it('takes an address that cannot be decoded as it is written, for who opens a page', async () => {
  const app = await createWebApp({ log: pino({ level: 'silent' }), callsPerMinute: 1000, trustProxy: false })
  app.get<{ Params: { id: string } }>('/d/:id', ({ params }, reply) => reply.send(`page of ${params.id}`))
  app.get('/api/things/:id', () => 'thing')
  const answerTo = async (url: string, accept: string) =>
    (await app.inject({ url, headers: { accept } })).body
  const asBrowser = 'text/html,application/xhtml+xml,*/*;q=0.8'
  expect(await answerTo('/d/%zz?from=%zz', asBrowser)).toBe('page of %zz')
  expect(await answerTo('/d/%E5%8', asBrowser)).toBe('page of %E5%8')
  expect(await answerTo('/d/a%20b', asBrowser)).toBe('page of a b')
  expect(await answerTo('/d/%zz', 'application/json')).toContain('"resultCode":"100"')
  expect(await answerTo('/api/things/%zz', asBrowser)).toContain('"resultCode":"100"')
  await app.close()
})

/** What is answered to a request of which all but the end of its body is sent. */
async function answerToUnended(path: string, patience: Partial<WebAppOptions>): Promise<string> {
  const app = await createWebApp({
    log: pino({ level: 'silent' }),
    callsPerMinute: 1000,
    trustProxy: false,
    ...patience,
  })
  app.post('/words', () => 'heard')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as net.AddressInfo
  const socket = net.connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => (heard += chunk.toString()))
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  )
  await Promise.race([once(socket, 'close'), once(socket, 'data')])
  await app.close()
  return heard
}

it('hangs up on who never ends a request', async () => {
  expect(await answerToUnended('/words', { arrivalMs: 200 })).toMatch(/^HTTP\/1.1 408 /)
})

it('hangs up sooner on who never ends a body without a file', async () => {
  expect(await answerToUnended('/words', { bodyPatienceMs: 100 })).toBe('')
})

it('answers for an address that nothing serves before the body is there', async () => {
  expect(await answerToUnended('/nothing', {})).toMatch(/^HTTP\/1.1 404 /)
})

it('waits for no request for ever, unless told otherwise', async () => {
  const app = await createWebApp({ log: pino({ level: 'silent' }), callsPerMinute: 1000, trustProxy: false })
  expect(app.server.requestTimeout).toBeGreaterThan(0)
  await app.close()
})

it('writes a line for each request, also where the answer broke off, and why it did', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const app = await createWebApp({ log, callsPerMinute: 1000, trustProxy: false })
  const fault = Promise.withResolvers<never>()
  async function* rows() {
    yield Buffer.alloc(100)
    await fault.promise
  }
  app.get('/rows', (_request, reply) =>
    reply.type('application/zip').send(Readable.from(rows(), { objectMode: false })),
  )
  const begun = Promise.withResolvers<void>()
  app.get('/slow', () => (begun.resolve(), new Promise(() => undefined)))
  app.get('/whole', () => 'whole')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  await (await fetch(`${url}/whole?secret=1`)).text()
  await app.inject('/whole')
  const impatient = new AbortController()
  const slow = fetch(`${url}/slow`, { signal: impatient.signal })
  await begun.promise
  impatient.abort()
  await expect(slow).rejects.toThrow('aborted')
  const answer = await fetch(`${url}/rows`)
  fault.reject(new Error('no rows left'))
  await expect(answer.bytes()).rejects.toThrow('terminated')
  await app.close()
  const said = lines.map((line) => JSON.parse(line))
  expect(
    said.flatMap(({ msg, path, status, isWhole }) => (msg === 'request' ? [[path, status, isWhole]] : [])),
  ).toEqual([
    ['/whole', 200, undefined],
    ['/whole', 200, undefined],
    ['/slow', 0, false],
    ['/rows', 200, false],
  ])
  expect(said.filter(({ level }) => level >= 40)).toMatchObject([
    { msg: 'an answer broke off', path: '/rows', err: { message: 'no rows left' } },
  ])
})
