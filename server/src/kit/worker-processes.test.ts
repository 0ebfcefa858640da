import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { openDatabase, type DatabasePool } from './database.ts'
import { addJob, jobKind } from './jobs.ts'
import { announceWorkers, releaseLostJobs } from './worker-processes.ts'

const nobody = { lockedBy: undefined, underWay: [] }
const log = pino({ level: 'silent' })
const some = jobKind('test:some', z.unknown())

let testDatabase: TestDatabase
let ours: DatabasePool
let theirs: DatabasePool
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  ours = openDatabase(testDatabase.url)
  theirs = openDatabase(testDatabase.url)
})
afterAll(async () => {
  await ours.close()
  await testDatabase.drop()
})

const lockJobs = (workerId: string) =>
  ours.pool.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '10 seconds'`,
    [workerId],
  )
const lockedBy = async () => {
  const { rows } = await ours.pool.query<{ lockedBy: string | null }>(
    'select locked_by as "lockedBy" from graphile_worker.jobs',
  )
  return rows.map((row) => row.lockedBy)
}

it('leaves the jobs of a process that lives, and frees those of one that is gone', async () => {
  await addJob(ours.db, some, {})
  await announceWorkers(theirs.pool, ['worker of theirs'], log)
  await lockJobs('worker of theirs')
  await releaseLostJobs(ours.db, nobody)
  expect(await lockedBy()).toEqual(['worker of theirs'])

  const { rows } = await ours.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  )
  expect(rows).toHaveLength(1)
  await theirs.close()
  // The server of the database ends a connection a moment after its client.
  const freed = async () => {
    await releaseLostJobs(ours.db, nobody)
    return lockedBy()
  }
  await expect.poll(freed).toEqual([null])
})

it('frees a job of a process that ended before it was announced', async () => {
  await lockJobs('worker of nobody')
  await releaseLostJobs(ours.db, nobody)
  expect(await lockedBy()).toEqual([null])
})

it('ends a job that had asked for its successor when its process died', async () => {
  await ours.pool.query('delete from graphile_worker._private_jobs')
  await addJob(ours.db, some, { turn: 1 }, { key: 'some' })
  await lockJobs('worker of nobody')
  await addJob(ours.db, some, { turn: 2 }, { key: 'some' })
  await releaseLostJobs(ours.db, nobody)
  const { rows } = await ours.pool.query(
    'select payload, locked_by from graphile_worker._private_jobs order by id',
  )
  expect(rows).toEqual([{ payload: { turn: 2 }, locked_by: null }])
})

it('ends a job that had asked for its successor and then failed', async () => {
  await ours.pool.query('delete from graphile_worker._private_jobs')
  await addJob(ours.db, some, { turn: 1 }, { key: 'some' })
  await lockJobs('worker of ours')
  await addJob(ours.db, some, { turn: 2 }, { key: 'some' })
  await ours.pool.query(
    `update graphile_worker._private_jobs set locked_by = null, locked_at = null, last_error = 'gone' where key is null`,
  )
  await releaseLostJobs(ours.db, nobody)
  const { rows } = await ours.pool.query('select payload from graphile_worker._private_jobs')
  expect(rows).toEqual([{ payload: { turn: 2 } }])
})

it('frees a job of its own that it does not do, and the queue with it', async () => {
  await ours.pool.query('delete from graphile_worker._private_jobs')
  for (const queue of ['done', 'lost']) await addJob(ours.db, some, { queue }, { queue })
  const takeBack = await announceWorkers(ours.pool, ['ourselves'], log)
  await lockJobs('ourselves')
  await ours.pool.query(
    `update graphile_worker._private_job_queues set locked_by = 'ourselves', locked_at = now()`,
  )
  const { rows: jobs } = await ours.pool.query<{ id: string; queue: string }>(
    'select id::text as id, queue_name as queue from graphile_worker.jobs order by queue_name',
  )
  await releaseLostJobs(ours.db, { lockedBy: 'ourselves', underWay: [jobs[0]?.id ?? ''] })
  const { rows } = await ours.pool.query(
    `select queue_name as queue, jobs.locked_by as job, queues.locked_by as "lockOfQueue"
       from graphile_worker.jobs join graphile_worker._private_job_queues queues using (queue_name) order by 1`,
  )
  expect(rows).toEqual([
    { queue: 'done', job: 'ourselves', lockOfQueue: 'ourselves' },
    { queue: 'lost', job: null, lockOfQueue: null },
  ])
  await takeBack()
})

it('takes an announcement back when the process stops in order', async () => {
  const takeBack = await announceWorkers(ours.pool, ['a worker'], log)
  await takeBack()
  const { rows } = await ours.pool.query('select 1 from worker_processes')
  expect(rows).toEqual([])
})
