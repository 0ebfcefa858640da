import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '../testing/test-database.ts'
import { openDatabase, sql } from './database.ts'
import { addJob, handleJob, jobKind, startJobs } from './jobs.ts'

const some = jobKind('test:some', z.unknown())

it('says in the log why a job failed, with the place', async () => {
  const testDatabase = await createTestDatabase()
  const { db, pool, close } = openDatabase(testDatabase.url)
  let said = ''
  const log = pino(new Writable({ write: (line, _encoding, done) => ((said += String(line)), done()) }))
  const handlers = [
    handleJob(some, async () => {
      throw new Error('the reason of it')
    }),
  ]
  const jobs = await startJobs({ pool, db, log, handlers })
  await addJob(db, some, {})
  await expect.poll(() => said).toContain('the reason of it')
  const lines = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; err?: { message?: string; stack?: string } })
  expect(lines.find(({ level }) => level === 50)?.err).toMatchObject({
    message: 'the reason of it',
    stack: expect.stringContaining('jobs.test.ts'),
  })
  await jobs.stop()
  await close()
  await testDatabase.drop()
})

it('is asked for also when the one that waits under its key is taken in that very moment', async () => {
  const testDatabase = await createTestDatabase()
  const { db, pool, close } = openDatabase(testDatabase.url)
  await addJob(db, some, { round: 1 }, { key: 'one' })
  await sql`
    create function pause() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(1); return new; end $$`.execute(db)
  await sql`create trigger pause before insert on graphile_worker._private_jobs for each row execute function pause()`.execute(
    db,
  )
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(1)')
  const asked = addJob(db, some, { round: 2 }, { key: 'one' })
  await expect
    .poll(async () => (await holder.query(`select from pg_locks where not granted`)).rowCount)
    .toBe(1)
  await holder.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker', attempts = 1`,
  )
  await holder.query('select pg_advisory_unlock(1)')
  await asked
  const { rows } = await holder.query(`select payload from graphile_worker._private_jobs order by id`)
  expect(rows.map(({ payload }) => payload)).toEqual([{ round: 1 }, { round: 2 }])
  holder.release()
  await close()
  await testDatabase.drop()
})
