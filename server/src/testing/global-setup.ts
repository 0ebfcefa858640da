import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import type { TestProject } from 'vitest/node'

import { isAbandoned, stopLeftBehind } from '../kit/embedded-postgres-claim.ts'
import { startEmbeddedPostgres } from '../kit/embedded-postgres.ts'
import { migrate } from '../kit/migrate.ts'
import { databaseUrl, withAdmin } from './admin-connection.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the server that all tests of a run share. */
    postgresUrl: string
  }
}

const folderPrefix = 'chairside-test-postgres-'

/** One PostgreSQL for the whole run, with one migrated database that `createTestDatabase` copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftBehind()
  const dataDirectory = fs.mkdtempSync(path.join(os.tmpdir(), folderPrefix))
  const removeFolder = () => fs.rmSync(dataDirectory, { recursive: true, force: true })
  const server = await startEmbeddedPostgres({ dataDirectory, durable: false }).catch((error: unknown) => {
    removeFolder()
    throw error
  })
  const teardown = async () => {
    await server.stop()
    removeFolder()
  }
  try {
    await withAdmin(server.url, (admin) => admin.query('create database template_chairside'))
    await migrate(databaseUrl(server.url, 'template_chairside'))
  } catch (error) {
    await teardown()
    throw error
  }
  project.provide('postgresUrl', server.url)
  return teardown
}

/** A run that was killed leaves its server and folder; the next run clears them away. */
async function removeLeftBehind(): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(folderPrefix))) {
    const folder = path.join(os.tmpdir(), name)
    const isOurs = fs.statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.()
    if (!isOurs || !fs.existsSync(path.join(folder, 'owner.json')) || !isAbandoned(folder)) continue
    await stopLeftBehind(path.join(folder, 'cluster'))
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
