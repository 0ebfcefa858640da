import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { DataFolderError, startEmbeddedPostgres } from './embedded-postgres.ts'
import { reasonSaid } from './embedded-postgres-cluster.ts'
import { keepServer } from './embedded-postgres-keeper.ts'
import type { Log } from './limited-log.ts'

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
  // Told to whoever asks, too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(query)).rows.map((row) => Object.values(row)[0])
  } finally {
    await client.end()
  }
}

describe('the embedded PostgreSQL', () => {
  it('that fails gives its reason, not how it tidies up', () => {
    const full = 'FATAL:  could not write to file "pg_wal/xlogtemp.8978": No space left on device'
    const tidying = 'child process exited with exit code 1\ninitdb: removing data directory "/srv/d"\n'
    expect(reasonSaid(`${full}\n${tidying}`)).toBe(full)
    expect(reasonSaid('one\ntwo\n')).toBe('two')
  })

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

  it('starts again when it is killed, on the same address and with what was committed', async () => {
    const dataDirectory = path.join(scratch, 'data')
    const said: string[] = []
    const note = (_details: unknown, message?: string) => void said.push(message ?? '')
    const log = { info: note, warn: note, error: note } as unknown as Log
    const onGivenUp = vi.fn<() => void>()
    const server = await startEmbeddedPostgres({
      dataDirectory,
      durable: true,
      keptRunning: { log, onGivenUp },
    })
    await ask(server.url, 'create table kept as select 7 as n')
    const lockFile = path.join(dataDirectory, 'cluster/postmaster.pid')
    const pid = () => Number(fs.readFileSync(lockFile, 'utf8').split('\n')[0])
    const killed = pid()
    // One of its processes is in the middle of something, and goes on without it.
    const busy = ask(server.url, 'select count(*) from generate_series(1, 10000000000)')
    busy.catch(() => undefined)
    await expect
      .poll(() =>
        ask(
          server.url,
          `select 1 from pg_stat_activity where query like '%generate_series%' and pid <> pg_backend_pid()`,
        ),
      )
      .not.toHaveLength(0)
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => ask(server.url, 'select n from kept')).toEqual([7])
    expect(pid()).not.toBe(killed)
    await expect(busy).rejects.toThrow('Connection terminated')
    // It can be asked a moment before that is told.
    await expect
      .poll(() => said)
      .toEqual([
        'the embedded PostgreSQL ended by itself and is started again',
        'the embedded PostgreSQL runs again',
      ])
    await server.stop()
    expect(fs.existsSync(lockFile)).toBe(false)
    expect(onGivenUp).not.toHaveBeenCalled()
  })

  it('gives up a server that ends again and again', async () => {
    const cluster = path.join(scratch, 'data/cluster')
    fs.mkdirSync(cluster, { recursive: true })
    const quiet = () => undefined
    const log: Log = { info: quiet, warn: quiet, error: quiet }
    const givenUp = Promise.withResolvers<void>()
    const launch = vi.fn<() => Promise<ChildProcess>>(async () => spawn('false'))
    const kept = await keepServer(cluster, launch, { log, onGivenUp: givenUp.resolve })
    await givenUp.promise
    expect(launch).toHaveBeenCalledTimes(6)
    await kept.stop('SIGINT')
  })

  it('says in one sentence why a data folder cannot be used', async () => {
    const file = path.join(scratch, 'file')
    fs.writeFileSync(file, '')
    const start = startEmbeddedPostgres({ dataDirectory: path.join(file, 'data'), durable: true })
    await expect(start).rejects.toThrow(DataFolderError)
    await expect(start).rejects.toThrow(`${file}/data cannot be used: a part of its path is a file.`)
    if (!fs.existsSync('/proc/self')) return
    const nowhere = startEmbeddedPostgres({ dataDirectory: '/proc/nowhere/data', durable: true })
    await expect(nowhere).rejects.toThrow('/proc/nowhere/data cannot be used')
  })
})
