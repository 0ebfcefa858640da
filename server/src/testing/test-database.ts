import { randomBytes } from 'node:crypto'

import { inject } from 'vitest'

import { databaseUrl, withAdmin } from './admin-connection.ts'

export interface TestDatabase {
  url: string
  /** Ends what is still connected, then removes the database. */
  drop(): Promise<void>
}

/** A database of its own with the newest schema and no rows, in 20 to 50 ms; `empty` has no schema either. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = empty ? 'template1' : 'template_chairside'
  await withAdmin(serverUrl, (admin) =>
    admin.query(`create database ${name} template ${template} strategy file_copy`),
  )
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => withAdmin(serverUrl, (admin) => admin.query(`drop database if exists ${name} with (force)`)),
  }
}
