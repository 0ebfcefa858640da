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
  const dataDirectory = fs.mkdtempSync(path.join(chooseFolder(), folderPrefix))
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

/** In memory where there is room: copying a database makes a thousand files, 20 ms there and up to 600 on a disk. */
const memoryFolder = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

function chooseFolder(): string {
  try {
    fs.accessSync(memoryFolder, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(memoryFolder)
    return bavail * bsize >= neededBytes ? memoryFolder : os.tmpdir()
  } catch {
    return os.tmpdir()
  }
}

/** A run that was killed leaves its server and folder; the next run clears them away. */
async function removeLeftBehind(): Promise<void> {
  for (const parent of [memoryFolder, os.tmpdir()]) {
    if (!fs.existsSync(parent)) continue
    for (const name of fs.readdirSync(parent).filter((entry) => entry.startsWith(folderPrefix))) {
      const folder = path.join(parent, name)
      const isOurs = fs.statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.()
      if (!isOurs || !fs.existsSync(path.join(folder, 'owner.json')) || !isAbandoned(folder)) continue
      await stopLeftBehind(path.join(folder, 'cluster'))
      fs.rmSync(folder, { recursive: true, force: true })
    }
  }
}
