import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DataFolderError, startEmbeddedPostgres } from './embedded-postgres.ts'

let scratch: string

beforeEach(() => {
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'chairside-embedded-'))
})

afterEach(() => {
  fs.chmodSync(scratch, 0o700)
  fs.rmSync(scratch, { recursive: true, force: true })
})

async function ask(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(query)).rows.map((row) => Object.values(row)[0])
  } finally {
    await client.end()
  }
}

describe('the embedded PostgreSQL', () => {
  it('keeps data, port and password over a restart, below a folder that only its owner may enter', async () => {
    fs.chmodSync(scratch, 0o700)
    const dataDirectory = path.join(scratch, 'checkout', 'data')
    const first = await startEmbeddedPostgres({ dataDirectory, durable: true })
    await ask(first.url, 'create table kept as select 7 as n')
    expect(await ask(first.url, 'show fsync')).toEqual(['on'])
    await first.stop()
    const second = await startEmbeddedPostgres({ dataDirectory, durable: true })
    expect(second.url).toBe(first.url)
    expect(await ask(second.url, 'select n from kept')).toEqual([7])
    await second.stop()
  })

  it('has the extensions that the schema needs, and they know Chinese', async () => {
    const server = await startEmbeddedPostgres({ dataDirectory: path.join(scratch, 'data'), durable: false })
    await ask(server.url, 'create extension ltree')
    await ask(server.url, 'create extension pg_trgm')
    expect(await ask(server.url, `select similarity('海底角店', '海底角') > 0.4`)).toEqual([true])
    await server.stop()
  })

  it('refuses a stranger without the password', async () => {
    const server = await startEmbeddedPostgres({ dataDirectory: path.join(scratch, 'data'), durable: false })
    const stranger = new URL(server.url)
    stranger.password = 'guess'
    await expect(ask(stranger.href, 'select 1')).rejects.toThrow(/password authentication failed/)
    await server.stop()
  })

  it('takes over from a killed process, whose server lives on, and loses nothing', async () => {
    const dataDirectory = path.join(scratch, 'data')
    const victim = spawn(
      process.execPath,
      [path.join(import.meta.dirname, '../testing/embedded-postgres-victim.ts'), dataDirectory],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [said] = (await once(victim.stdout, 'data')) as [Buffer]
    const url = said.toString().trim()
    await ask(url, 'create table kept as select 7 as n')
    await expect(startEmbeddedPostgres({ dataDirectory, durable: true })).rejects.toThrow(
      `in use by process ${victim.pid}`,
    )
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    expect(await ask(url, 'select n from kept')).toEqual([7])
    const successor = await startEmbeddedPostgres({ dataDirectory, durable: true })
    expect(await ask(successor.url, 'select n from kept')).toEqual([7])
    await successor.stop()
  })

  it('says in one sentence why a data folder cannot be used', async () => {
    const file = path.join(scratch, 'file')
    fs.writeFileSync(file, '')
    const start = startEmbeddedPostgres({ dataDirectory: path.join(file, 'data'), durable: true })
    await expect(start).rejects.toThrow(DataFolderError)
    await expect(start).rejects.toThrow(`${file}/data cannot be used: a part of its path is a file.`)
  })
})
