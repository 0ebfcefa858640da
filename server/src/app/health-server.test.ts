import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { makeDataFolder } from '../testing/temporary-data.ts'
import { startServer } from './start-server.ts'

let database: TestDatabase
const data = makeDataFolder()
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  data.remove()
})

/** A server with some settings while it is looked at. */
async function withServer(
  changes: Record<string, string>,
  look: (server: { url: string; healthUrl: string; mqttUrl: string }) => Promise<void>,
) {
  const config = readConfig({
    DATABASE_URL: database.url,
    SECRET_KEY: 'the key of a process that is asked how it is',
    PUBLIC_URL: 'http://chairs.example.com',
    HOST: '127.0.0.1',
    PORT: '0',
    MQTT_HOST: '127.0.0.1',
    MQTT_PORT: '0',
    DATA_DIR: data.folder,
    ...changes,
  })
  const server = await startServer(config, pino({ level: 'silent' }))
  try {
    await look(server)
  } finally {
    expect(await server.stop()).toBe(true)
  }
}

const ask = async (url: string) => {
  const answer = await fetch(url)
  return { status: answer.status, text: await answer.text() }
}

describe('a process', () => {
  it.each([
    ['worker', { database: 'ok', pictures: 'ok', jobs: 'ok' }],
    ['gateway', { database: 'ok', pictures: 'ok', broker: 'ok', jobs: 'ok' }],
  ])('that is only a %s can be asked how it is on a port of its own', (role, parts) =>
    withServer({ ROLES: role, HEALTH_PORT: '0' }, async ({ url, healthUrl }) => {
      expect(url).toBe('')
      expect(await ask(`${healthUrl}/healthz`)).toEqual({ status: 200, text: '{"status":"ok"}' })
      const ready = await ask(`${healthUrl}/readyz`)
      expect({ ...ready, text: JSON.parse(ready.text) }).toEqual({
        status: 200,
        text: { status: 'ok', parts },
      })
      const metrics = await ask(`${healthUrl}/metrics`)
      expect(metrics.text).toContain('process_resident_memory_bytes')
      expect(metrics.text.includes('chairside_gateway_reports_total')).toBe(role === 'gateway')
      expect((await ask(`${healthUrl}/api/me`)).status).toBe(404)
    }),
  )

  it('has no such address without the port', () =>
    withServer({ ROLES: 'worker' }, async ({ healthUrl }) => expect(healthUrl).toBe('')))

  it('that serves the web tells there too, or keeps it from the address of the customers', async () => {
    await withServer({ ROLES: 'web' }, async ({ url, healthUrl }) => {
      expect(healthUrl).toBe(url)
      for (const path of ['/healthz', '/readyz', '/metrics'])
        expect((await ask(url + path)).status, path).toBe(200)
    })
    await withServer({ ROLES: 'web,worker', HEALTH_PORT: '0' }, async ({ url, healthUrl }) => {
      expect(healthUrl).not.toBe(url)
      for (const path of ['/healthz', '/readyz', '/metrics'])
        expect((await ask(healthUrl + path)).status, path).toBe(200)
      expect((await ask(`${url}/healthz`)).status).toBe(200)
      for (const path of ['/readyz', '/metrics'])
        expect((await ask(url + path)).text, path).not.toMatch(/"parts"|process_/)
      expect((await ask(`${healthUrl}/metrics`)).text).toMatch(
        /chairside_http_request_seconds_count\{.*\/healthz/,
      )
    })
  })
})
