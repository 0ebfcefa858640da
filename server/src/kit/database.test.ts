import net from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { collectGarbage } from '../testing/collect-garbage.ts'
import { openDoorToDatabase } from '../testing/door-to-database.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { inTransaction, openDatabase, sql, streamRows, type Database, type DatabasePool } from './database.ts'
import { createWebApp } from './door/web-app.ts'

/** How somebody who asks something of this database is answered. */
async function statusBehind(
  { db }: DatabasePool,
  ask: (db: Database) => Promise<unknown> = (some) => sql`select 1`.execute(some),
): Promise<number> {
  const app = await createWebApp({ log: pino({ level: 'silent' }), callsPerMinute: 1000, trustProxy: false })
  app.get('/asking', async () => void (await ask(db)))
  const { statusCode } = await app.inject('/asking')
  await app.close()
  return statusCode
}

it('a database that takes connections and says nothing is away', async () => {
  const sockets = new Set<net.Socket>()
  const silent = net.createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as net.AddressInfo
  const database = openDatabase(`postgres://a:b@127.0.0.1:${port}/c`, { longestWaitMs: 300 })
  expect(await statusBehind(database)).toBe(503)
  await database.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => silent.close(resolve))
})

it('a database that hangs is away for who comes next, and there again when it goes on', async () => {
  const testDatabase = await createTestDatabase()
  const database = openDatabase(testDatabase.url, { maxConnections: 1, longestWaitMs: 1000 })
  const other = openDatabase(testDatabase.url)
  const holder = await other.pool.connect()
  await holder.query('begin; lock table accounts')
  const hanging = sql`select count(*) from accounts`.execute(database.db)
  expect(await statusBehind(database)).toBe(503)
  await holder.query('rollback')
  holder.release()
  await hanging
  expect(await statusBehind(database)).toBe(200)
  await database.close()
  await other.close()
  await testDatabase.drop()
})

it('a database whose disk is full is away: whoever called did nothing wrong', async () => {
  const testDatabase = await createTestDatabase()
  const database = openDatabase(testDatabase.url)
  const full = sql`do $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`
  expect(await statusBehind(database, (db) => full.execute(db))).toBe(503)
  await database.close()
  await testDatabase.drop()
})

it('a database that goes away in a transaction is away: whoever called did nothing wrong', async () => {
  const testDatabase = await createTestDatabase()
  const database = openDatabase(testDatabase.url)
  const breakOff = (db: Database) =>
    inTransaction(db, (trx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx))
  expect(await statusBehind(database, breakOff)).toBe(503)
  await database.close()
  await testDatabase.drop()
})

it('rows that were streamed are let go of while others come', async () => {
  const testDatabase = await createTestDatabase()
  const database = openDatabase(testDatabase.url)
  const streamed: WeakRef<object>[] = []
  let mostHeld = 0
  for await (const rows of streamRows(database.db, sql`select n from generate_series(1, 10000) n`)) {
    streamed.push(new WeakRef(rows))
    await nextTurn()
    collectGarbage()
    mostHeld = Math.max(mostHeld, streamed.filter((batch) => batch.deref()).length)
  }
  expect(streamed.length).toBeGreaterThanOrEqual(20)
  expect(mostHeld).toBeLessThanOrEqual(3)
  await database.close()
  await testDatabase.drop()
})

/** Messages of the driver about its cursors. */
const [executes, closes] = [/E\0\0\0.C_/s, /C\0\0\0.PC_/s]

it.each([
  ['in the middle', 100_000, executes],
  ['after the last of them', 10, closes],
])(
  'rows whose connection breaks %s end with an error, and leave their place to others',
  async (_when, count, message) => {
    const testDatabase = await createTestDatabase()
    const door = await openDoorToDatabase(testDatabase.url)
    const database = openDatabase(door.url, { maxConnections: 1 })
    const rows = streamRows(database.db, sql`select n from generate_series(1, ${count}::int) n`)
    const all = async () => {
      for await (const some of rows) {
        expect(some.length).toBeGreaterThan(0)
        door.breakAt(message)
      }
    }
    if (message === closes) door.breakAt(message)
    await expect(all()).rejects.toThrow(/ECONNRESET|terminated/)
    expect(await statusBehind(database)).toBe(200)
    await database.close()
    await door.close()
    await testDatabase.drop()
  },
)
