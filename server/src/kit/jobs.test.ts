import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '../testing/test-database.ts'
import { openDatabase } from './database.ts'
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
