import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type DatabasePool } from '../kit/database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { prepareDatabase } from './prepare-database.ts'

let testDatabase: TestDatabase
let database: DatabasePool

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.url)
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

describe('the partitions of the months ahead', () => {
  it('are made once by servers that start together', async () => {
    const start = () => prepareDatabase(database.db, { timeZone: 'Asia/Shanghai', keyFingerprint: 'same' })
    await start()
    const partitions = async () =>
      (
        await database.pool.query<{ name: string }>(
          `select inhrelid::regclass::text as name from pg_inherits
            where inhparent in ('orders'::regclass, 'ledger_entries'::regclass) order by 1`,
        )
      ).rows.map(({ name }) => name)
    const before = await partitions()
    const last = before.filter((name) => name.endsWith(before.at(-1)?.slice(-6) ?? ''))
    expect(last).toHaveLength(2)
    for (let turn = 0; turn < 5; turn++) {
      await database.pool.query(`drop table ${last.join(', ')}`)
      await Promise.all(Array.from({ length: 8 }, start))
      expect(await partitions()).toEqual(before)
    }
  })
})
