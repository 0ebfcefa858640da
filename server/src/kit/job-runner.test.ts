import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { openDoorToDatabase, type DoorToDatabase } from '../testing/door-to-database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { openDatabase, type DatabasePool } from './database.ts'
import { addJob, handleJob, jobKind, startJobs, type RunningJobs } from './jobs.ts'
import { releaseLostJobs } from './worker-processes.ts'

const log = pino({ level: 'silent' })
const some = jobKind('test:some', z.string())
const patience = { timeout: 30_000 }

let testDatabase: TestDatabase
let door: DoorToDatabase
let database: DatabasePool
let direct: DatabasePool
let jobs: RunningJobs | undefined
beforeEach(async () => {
  testDatabase = await createTestDatabase()
  door = await openDoorToDatabase(testDatabase.url)
  database = openDatabase(door.url)
  direct = openDatabase(testDatabase.url)
})
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
  await database.close()
  await direct.close()
  await door.close()
  await testDatabase.drop()
})

async function start(work: (payload: string) => Promise<void>): Promise<RunningJobs> {
  const handlers = [handleJob(some, (_context, payload) => work(payload))]
  return startJobs({ pool: database.pool, db: database.db, log, handlers })
}

it.each([
  ['done', async () => undefined],
  ['failed', () => Promise.reject(new Error('as meant'))],
])(
  'is not ended by a database that is away when a job is %s: all are done when it is back',
  async (_how, end) => {
    const begun: string[] = []
    jobs = await start(async (payload) => {
      begun.push(payload)
      if (begun.length > 1) return
      await door.close()
      await end()
    })
    await addJob(direct.db, some, 'first')
    await expect.poll(() => begun).toEqual(['first'])
    await addJob(direct.db, some, 'second')
    await expect.poll(() => jobs?.isRunning()).toBe(false)
    await door.open()
    await expect.poll(() => begun.toSorted(), patience).toEqual(['first', 'first', 'second'])
    expect(jobs.isRunning()).toBe(true)
    await expect
      .poll(async () => (await direct.pool.query('select 1 from graphile_worker.jobs')).rows)
      .toEqual([])
  },
)

it('goes on when the end of one job is lost and that of another, which it does meanwhile, is not', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const begun: string[] = []
  jobs = await start(async (payload) => {
    begun.push(payload)
    if (payload === 'long') await released
    if (payload === 'lost' && begun.length === 2) await door.close()
  })
  for (const payload of ['long', 'lost']) {
    await addJob(direct.db, some, payload)
    await expect.poll(() => begun).toContain(payload)
  }
  await door.open()
  // Others are done while the long one still is.
  await addJob(direct.db, some, 'third')
  await expect.poll(() => begun, patience).toContain('third')
  release()
  await addJob(direct.db, some, 'fourth')
  await expect.poll(() => begun, patience).toContain('fourth')
  await expect
    .poll(async () => (await direct.pool.query('select 1 from graphile_worker.jobs')).rows, patience)
    .toEqual([])
  expect(begun.filter((payload) => payload === 'long')).toHaveLength(1)
})

it('takes jobs as soon as a database that was starting for a while is there', async () => {
  jobs = await start(async () => undefined)
  const names = async () => {
    const { rows } = await direct.pool.query<{ name: string }>(
      'select unnest(worker_ids) as name from worker_processes',
    )
    return rows.map(({ name }) => name)
  }
  const [before] = await names()
  await door.close()
  door.beStarting(true)
  await door.open()
  const away = () => database.pool.query('select 1').catch((error: { code?: string }) => error.code)
  await expect.poll(away).toBe('57P03')
  // Longer than the time between two looks.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  door.beStarting(false)
  // Those of before would come back only after some more time.
  await expect.poll(async () => (await names()).some((name) => name !== before), patience).toBe(true)
  expect(jobs.isRunning()).toBe(true)
})

it('stops while the database is away', async () => {
  let isBegun = false
  jobs = await start(async () => {
    isBegun = true
    await door.close()
  })
  await addJob(direct.db, some, 'first')
  await expect.poll(() => isBegun).toBe(true)
  await expect.poll(() => jobs?.isRunning()).toBe(false)
  await jobs.stop()
  expect(jobs.isRunning()).toBe(false)
  await door.open()
})

it('keeps a job that takes long to itself', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let begun = 0
  jobs = await start(() => {
    begun++
    return released
  })
  await addJob(direct.db, some, 'long')
  await expect.poll(() => begun).toBe(1)
  await direct.pool.query(`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`)
  await releaseLostJobs(direct.db, { lockedBy: undefined, underWay: [] })
  const { rows } = await direct.pool.query('select locked_by from graphile_worker.jobs')
  expect(rows).toEqual([{ locked_by: expect.any(String) }])
  release()
})
