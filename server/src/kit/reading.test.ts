import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import {
  inTransaction,
  openDatabase,
  plannedOnce,
  sql,
  type Database,
  type DatabasePool,
} from './database.ts'

let testDatabase: TestDatabase
let database: DatabasePool

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.url, { maxConnections: 2 })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

const whereAndWhen = async (db: Database, number: number) => {
  const { rows } = await sql<{ number: number; process: number; at: number }>`
    select ${number}::bigint as number, pg_backend_pid() as process, extract(epoch from now())::double precision as at`.execute(
    db,
  )
  return rows[0]
}

const values = async (db: Database, text: string | null, at: Date, ids: number[]) => {
  const { rows } = await sql`${plannedOnce}
    select ${text}::text as text, ${at}::timestamptz as at, ${ids}::bigint[] as ids, ${Buffer.from('abc')}::bytea as bytes,
           '2026-02-03'::date as day, '{"a":1}'::jsonb as record, 12::numeric as amount, true as yes`.execute(
    db,
  )
  return rows
}

describe('reading', () => {
  it('sends what is asked at once together, and answers each with its own rows', async () => {
    const db = database.openReading()
    const found = await Promise.all([whereAndWhen(db, 1), whereAndWhen(db, 2), whereAndWhen(db, 3)])
    expect(found.map((one) => one?.number)).toEqual([1, 2, 3])
    expect(new Set(found.map((one) => one?.process)).size).toBe(1)
    expect(new Set(found.map((one) => one?.at)).size).toBe(1)
    const later = await whereAndWhen(db, 4)
    expect(later?.at).toBeGreaterThan(found[0]?.at ?? Infinity)
  })

  it('says the same as the pool, the first time and when the statement is planned already', async () => {
    const at = new Date('2026-11-21T09:30:00.123Z')
    const expected = await values(database.db, 'x', at, [1, 2 ** 40])
    expect(expected).toMatchObject([{ text: 'x', at, ids: [1, 2 ** 40], day: '2026-02-03', amount: 12 }])
    const db = database.openReading()
    for (let turn = 0; turn < 5; turn++) {
      expect(await values(db, 'x', at, [1, 2 ** 40])).toEqual(expected)
      const both = await Promise.all([values(db, null, at, []), values(db, 'y', at, [3])])
      expect(both).toMatchObject([[{ text: null, ids: [] }], [{ text: 'y', ids: [3] }]])
    }
  })

  it('lets a statement fail alone that was asked last, and goes on with the next', async () => {
    const db = database.openReading()
    for (let turn = 0; turn < 5; turn++) {
      const [first, second, third] = await Promise.allSettled([
        whereAndWhen(db, 1),
        sql`select 1 / ${0}::int`.execute(db),
        whereAndWhen(db, 3),
      ])
      expect(first).toMatchObject({ status: 'fulfilled', value: { number: 1 } })
      expect(second).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
      expect(third?.status).toBe('rejected')
      expect(await whereAndWhen(db, 4)).toMatchObject({ number: 4 })
    }
  })

  it('sends what can be sent beside a value that cannot', async () => {
    const db = database.openReading()
    const circle: { self?: unknown } = {}
    circle.self = circle
    const [first, second] = await Promise.allSettled([
      sql`select ${circle}::jsonb`.execute(db),
      whereAndWhen(db, 2),
    ])
    expect(first).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('circular') },
    })
    expect(second).toMatchObject({ status: 'fulfilled', value: { number: 2 } })
  })

  it('fails when its connection breaks, and finds another', async () => {
    const db = database.openReading()
    const broken = sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
    await expect(broken).rejects.toThrow(/terminat/)
    expect(await whereAndWhen(db, 1)).toMatchObject({ number: 1 })
  })

  it('has no transactions', async () => {
    await expect(inTransaction(database.openReading(), async () => 1)).rejects.toThrow(/only reads/)
  })
})
