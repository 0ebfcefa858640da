import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { migrate, MigrationRefused } from './migrate.ts'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chairside-migrations-'))
  write('0001-chairs.sql', 'create table chairs (id int)')
  write('0002-places.sql', 'create table places (id int); insert into places values (1)')
})

afterEach(async () => {
  await database.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

function write(name: string, sql: string): void {
  fs.writeFileSync(path.join(folder, name), sql)
}

async function count(table: string): Promise<number> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? -1
  } finally {
    await client.end()
  }
}

describe('migrating', () => {
  it('applies each file once and in order, also when several processes start at once', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url, { folder })))
    expect(runs.flat()).toEqual(['0001-chairs.sql', '0002-places.sql'])
    expect(await count('places')).toBe(1)
    expect(await count('graphile_worker.jobs')).toBe(0)
    expect(await migrate(database.url, { folder })).toEqual([])
  })

  it('says what failed when its connection breaks', async () => {
    write('0003-broken-off.sql', 'select pg_terminate_backend(pg_backend_pid())')
    await expect(migrate(database.url, { folder })).rejects.toThrow(
      /^The migration 0003-broken-off\.sql failed: terminating connection/,
    )
  })

  it('refuses a database that is newer than the program', async () => {
    await migrate(database.url, { folder })
    fs.rmSync(path.join(folder, '0002-places.sql'))
    await expect(migrate(database.url, { folder })).rejects.toThrow(
      new MigrationRefused(
        'The database is newer than this program: it has the migration 0002-places.sql, which this version does not know. Start a newer version.',
      ),
    )
  })

  it('refuses a migration that was changed after it was applied', async () => {
    await migrate(database.url, { folder })
    write('0001-chairs.sql', 'create table chairs (id bigint)')
    await expect(migrate(database.url, { folder })).rejects.toThrow(/0001-chairs\.sql was changed after/)
  })

  it('refuses two files with one number', async () => {
    write('0002-other.sql', 'select 1')
    await expect(migrate(database.url, { folder })).rejects.toThrow(/have the same number/)
    fs.rmSync(path.join(folder, '0002-other.sql'))
  })

  it('applies a file that came later with a lower number', async () => {
    await migrate(database.url, { folder })
    write('0000-late.sql', 'create table late (id int)')
    expect(await migrate(database.url, { folder })).toEqual(['0000-late.sql'])
    expect(await count('late')).toBe(0)
    expect(await migrate(database.url, { folder })).toEqual([])
  })

  it('leaves nothing of a migration that fails, and names its line', async () => {
    write('0003-broken.sql', 'create table half (id int);\nselect nothing_like_this')
    await expect(migrate(database.url, { folder })).rejects.toThrow(/0003-broken\.sql failed: .* \(line 2\)/)
    await expect(count('half')).rejects.toThrow(/does not exist/)
    expect(await count('places')).toBe(1)
  })
})
