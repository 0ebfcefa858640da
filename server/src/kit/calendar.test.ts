import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { startOfDay } from './calendar.ts'
import { openDatabase, type DatabasePool } from './database.ts'

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

it.each([
  // Without changes of the clock, and changed in the small hours.
  'Asia/Shanghai',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  // The clock skips midnight, west and east of Greenwich.
  'America/Havana',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  'Pacific/Kiritimati',
])('days of %s begin where the database has them begin', async (timeZone) => {
  const { rows } = await database.pool.query<{ day: string; first: Date }>(
    `select (at at time zone $1)::date as day, min(at) as first
       from generate_series(timestamptz '2026-01-01', '2027-01-01', '30 minutes') at group by 1 order by 1`,
    [timeZone],
  )
  const whole = rows.slice(1)
  expect(whole.map(({ day }) => ({ day, first: startOfDay(day, timeZone) }))).toEqual(whole)
})
