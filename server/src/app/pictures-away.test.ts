import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { startS3Sandbox, type S3Sandbox } from '@chairside/sandbox/s3/s3-sandbox'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { createS3Store } from '../kit/object-store/s3-store.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { drawPicture } from '../testing/drawn-pictures.ts'
import { startServer } from './start-server.ts'

let database: TestDatabase
let bucket: S3Sandbox
beforeAll(async () => {
  database = await createTestDatabase()
  bucket = await startS3Sandbox()
})
afterAll(async () => {
  await bucket.stop()
  await database.drop()
})

/** A web server that keeps its pictures in a bucket, and what it logs. */
async function serve(changes: Record<string, string>) {
  const lines: string[] = []
  const config = readConfig({
    DATABASE_URL: database.url,
    SECRET_KEY: 'the key of a server whose pictures are away',
    PUBLIC_URL: 'http://chairs.example.com',
    HOST: '127.0.0.1',
    PORT: '0',
    ROLES: 'web',
    S3_BUCKET_URL: bucket.bucketUrl,
    S3_REGION: bucket.keys.region,
    S3_ACCESS_KEY_ID: bucket.keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.keys.secretAccessKey,
    ...changes,
  })
  const server = await startServer(
    config,
    pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
  )
  const ready = async () => {
    const answer = await fetch(`${server.url}/readyz`)
    const { parts } = (await answer.json()) as { parts: Record<string, string> }
    return `${answer.status} ${parts['pictures']}`
  }
  const picture = (key: string) => fetch(`${server.url}/pictures/${key}`)
  return { ready, picture, stop: () => server.stop(), lines }
}

const kept = 'banner_1763000000000.jpg'

it('a store that has no such picture says so itself', async () => {
  bucket.files.set(kept, { bytes: await drawPicture(20, 20), contentType: 'image/jpeg' })
  const server = await serve({})
  await expect.poll(server.ready).toBe('200 ok')
  expect((await server.picture(kept)).status).toBe(200)
  expect((await server.picture('banner_1763000000001.jpg')).status).toBe(404)
  expect(server.lines.join('')).not.toContain('pictures can')
  await server.stop()
})

it.each([
  ['a bucket that is not there', { S3_BUCKET_URL: '-of-before' }, 'S3_BUCKET_URL'],
  ['a wrong key', { S3_SECRET_ACCESS_KEY: 'another' }, 'S3_SECRET_ACCESS_KEY is not the one'],
] as const)(
  '%s is said at the start and by /readyz; chairs are sold all the same, and no picture is said to be missing',
  async (_what, changes, words) => {
    const server = await serve(
      'S3_BUCKET_URL' in changes ? { S3_BUCKET_URL: `${bucket.bucketUrl}-of-before` } : changes,
    )
    await expect.poll(server.ready).toBe('200 away')
    expect(server.lines.join('')).toContain('pictures can be neither kept nor shown')
    expect(server.lines.join('')).toContain(words)
    const answer = await server.picture(kept)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toMatchObject({
      success: false,
      message: expect.stringContaining('not available'),
    })
    await server.stop()
  },
)

it('what is no whole picture is not shown, and kept by no browser', async () => {
  const server = await serve({})
  const whole = await drawPicture(20, 20)
  for (const bytes of [Buffer.from('<html>Sign in</html>'), whole.subarray(0, -100), Buffer.alloc(0)]) {
    bucket.files.set(kept, { bytes, contentType: 'image/jpeg' })
    const answer = await server.picture(kept)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
  await server.stop()
})

it('a page that stands in for the store, or that it leads to, is no store', async () => {
  const page = http.createServer(({ url }, response) =>
    url === '/page'
      ? response.end('Sign in')
      : response.writeHead(302, { location: '/page', 'content-type': 'text/html' }).end(),
  )
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const { port } = page.address() as AddressInfo
  const store = createS3Store({ ...bucket.keys, bucketUrl: `http://127.0.0.1:${port}/pictures` })
  await expect(store.get(kept)).rejects.toThrow('302')
  page.removeAllListeners('request').on('request', (_request, response) => response.end('Sign in'))
  await expect(store.check()).rejects.toThrow('does not give back')
  page.close()
})
