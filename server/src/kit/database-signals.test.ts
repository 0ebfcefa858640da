import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { openDatabase, type DatabasePool } from './database.ts'
import { listenToSignals } from './database-signals.ts'

const log = pino({ level: 'silent' })
let testDatabase: TestDatabase
let database: DatabasePool
let heard: string[]
let missed: Date[]
let listening: Awaited<ReturnType<typeof listenToSignals>>

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.url)
  heard = []
  missed = []
  listening = await listenToSignals({
    pool: database.pool,
    channel: 'told',
    onSignal: (payload) => heard.push(payload),
    onMissed: async (since) => void missed.push(since),
    log,
    everyMs: 50,
  })
})
afterEach(async () => {
  await listening.stop()
  await database.close()
  await testDatabase.drop()
})

const say = (payload: string) => database.pool.query(`select pg_notify('told', $1)`, [payload])

it('hears what a transaction says when it commits, and nothing of one that does not', async () => {
  const client = await database.pool.connect()
  await client.query(`begin; select pg_notify('told', 'taken back'); rollback`)
  await client.query(`begin; select pg_notify('told', 'one')`)
  expect(heard).toEqual([])
  await client.query('commit')
  client.release()
  await say('two')
  await expect.poll(() => heard).toEqual(['one', 'two'])
  expect(missed).toEqual([])
})

it('listens again when its connection broke, and tells since when it may have missed something', async () => {
  const before = new Date()
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await expect.poll(() => missed).toHaveLength(1)
  expect(Math.abs((missed[0]?.getTime() ?? 0) - before.getTime())).toBeLessThan(60_000)
  await say('again')
  await expect.poll(() => heard).toEqual(['again'])
})
