import type { TestProject } from 'vitest/node'

import { startEmbeddedPostgres } from '../kit/embedded-postgres.ts'
import { migrate } from '../kit/migrate.ts'
import { databaseUrl, withAdmin } from './admin-connection.ts'
import { makeDataFolder, removeDataLeftBehind } from './temporary-data.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the server that all tests of a run share. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run, with one migrated database that `createTestDatabase` copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeDataLeftBehind()
  const data = makeDataFolder()
  const server = await startEmbeddedPostgres({
    dataDirectory: data.postgresFolder,
    durable: false,
  }).catch((error: unknown) => {
    data.remove()
    throw error
  })
  const teardown = async () => {
    await server.stop()
    data.remove()
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
