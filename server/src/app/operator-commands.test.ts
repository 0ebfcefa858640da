import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeDataFolder } from '../testing/temporary-data.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const data = makeDataFolder()
afterAll(() => data.remove())

function run(command: string, environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, command)], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: data.folder, ...environment },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

it('a new password for an admin of an empty database is refused in a sentence', async () => {
  const database = await createTestDatabase({ empty: true })
  const reset = run('reset-admin-command.ts', { DATABASE_URL: database.url })
  expect(reset.status).toBe(1)
  expect(reset.stderr).toMatch(
    /^The database is empty; the first process that starts makes it, and an admin\.\n$/,
  )
  await database.drop()
})

it('without a database and without a demo, both ways to name one are told', () => {
  const reset = run('reset-admin-command.ts', {})
  expect(reset.status).toBe(1)
  expect(reset.stderr).toContain(`Set DATABASE_URL, or DATA_DIR to the folder of a demo that runs`)
  expect(reset.stderr).toContain(data.folder)
})

it("the broker's password wants the key alone", () => {
  const key = { SECRET_KEY: 'the key of an installation with a broker' }
  const alone = run('broker-password-command.ts', key)
  expect(alone.stderr).toBe('')
  expect(alone.stdout).toMatch(/^[\w-]{43}\n$/)
  const beside = run('broker-password-command.ts', { ...key, DATABASE_URL: 'postgres://a:b@db.internal/c' })
  expect(beside.stdout).toBe(alone.stdout)
})
