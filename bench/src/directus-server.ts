import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { rowColumns, rowTables } from './peer-sql.ts'
import { startProgram, type ServerProcess } from './servers.ts'

/** Directus keeps its own tables, and sees those of the product, in a schema of its own. */
const schema = 'directus_peer'

/**
 * The orders as one plain table with all that the list shows, as Directus needs them: one column as the key, no partitions.
 * It is spared the join, has the sum's amount ready, and the index by which the product finds a merchant's orders.
 */
const copyOrders = [
  `drop schema if exists ${schema} cascade`,
  `create schema ${schema}`,
  `create table ${schema}.orders as select ${rowColumns}, o.merchant_id from ${rowTables}`,
  `alter table ${schema}.orders add primary key (order_id)`,
  `create index on ${schema}.orders (merchant_id, order_time desc, order_id desc)`,
  `vacuum (analyze) ${schema}.orders`,
]

async function runAll(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

export interface DirectusServer extends ServerProcess {
  /** Who may read everything. */
  login: { email: string; password: string }
}

/**
 * Starts Directus on a copy of the orders; it goes with the server.
 * @param folder where it is installed: `npm install directus` was run there
 */
export async function startDirectus(
  folder: string,
  databaseUrl: string,
  dataDirectory: string,
): Promise<DirectusServer> {
  const program = path.join(folder, 'node_modules/directus/cli.js')
  const login = { email: 'reader@example.com', password: randomBytes(18).toString('base64url') }
  const settings = {
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    DB_SEARCH_PATH: schema,
    SECRET: randomBytes(32).toString('base64url'),
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    ACCESS_TOKEN_TTL: '1d',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
  }
  const removeCopy = () => runAll(databaseUrl, [`drop schema if exists ${schema} cascade`])
  await runAll(databaseUrl, copyOrders)
  try {
    const bootstrap = spawn(process.execPath, [program, 'bootstrap'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = (await once(bootstrap, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`Directus could not prepare its tables (exit code ${code})`)
    const server = await startProgram([program, 'start'], {
      logFile: path.join(dataDirectory, 'directus.log'),
      environment: settings,
      healthPath: '/server/ping',
    })
    const stop = async () => {
      await server.stop()
      await removeCopy()
    }
    return { ...server, stop, login }
  } catch (error) {
    await removeCopy()
    throw error
  }
}
