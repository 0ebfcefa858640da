import type { Call } from '../kit/call.ts'
import { openDatabase, type DatabasePool } from '../kit/database.ts'
import { mountCalls } from '../kit/door/door.ts'
import { answerUnknownPath, createWebApp } from '../kit/door/web-app.ts'
import { createSecretBox, type SecretBox } from '../kit/secrets.ts'
import { insertAudit } from '../identity/audit-sql.ts'
import { createSessionCalls } from '../identity/session-calls.ts'
import { createSessionGate } from '../identity/session-gate.ts'
import { permissionIds, type Envelope, type PermissionTree } from '@chairside/contract'
import { hash } from '@node-rs/argon2'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createTestDatabase } from './test-database.ts'

export interface TestAnswer<Data> {
  status: number
  body: Envelope<Data>
  headers: Record<string, string>
}

export interface TestServer extends DatabasePool {
  app: FastifyInstance
  secrets: SecretBox
  /** A call through the door, without a network in between. */
  call<Data = unknown>(
    verb: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string>; address?: string },
  ): Promise<TestAnswer<Data>>
  /** Signs in and gives the token. */
  signIn(userName: string): Promise<string>
  stop(): Promise<void>
}

export const testPassword = 'a password'
export const testTimeZone = 'Asia/Shanghai'

/** The door with some calls on a database of its own; `signIn` works for accounts made by `addAccount`. */
export async function startTestServer(
  callsOf: (services: { database: DatabasePool; secrets: SecretBox }) => readonly Call[] = () => [],
  options: { idleSeconds?: number; callsPerMinute?: number; unreadPatienceMs?: number } = {},
): Promise<TestServer> {
  const testDatabase = await createTestDatabase()
  const database = openDatabase(testDatabase.url)
  const secrets = createSecretBox('a secret key of a test, long enough')
  const gate = createSessionGate(database.db, options.idleSeconds ?? 7200)
  const app = await createWebApp({
    log: pino({ level: 'silent' }),
    callsPerMinute: options.callsPerMinute ?? 1_000_000,
    trustProxy: false,
    ...(options.unreadPatienceMs === undefined ? {} : { unreadPatienceMs: options.unreadPatienceMs }),
  })
  mountCalls(app, [...createSessionCalls(gate, secrets), ...callsOf({ database, secrets })], {
    db: database.db,
    openReading: database.openReading,
    timeZone: testTimeZone,
    mostLongLists: 10,
    checkToken: gate.checkToken,
    guessPrincipal: gate.guessPrincipal,
    whoHolds: gate.whoHolds,
    writeAudit: insertAudit,
  })
  app.setNotFoundHandler(answerUnknownPath)
  await app.ready()

  const call: TestServer['call'] = async <Data>(
    verb: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    sent: { token?: string; body?: unknown; headers?: Record<string, string>; address?: string } = {},
  ) => {
    const answer = await app.inject({
      method: verb,
      url: path,
      ...(sent.address === undefined ? {} : { remoteAddress: sent.address }),
      headers: { ...(sent.token ? { 'x-access-token': sent.token } : {}), ...sent.headers },
      ...(sent.body === undefined ? {} : { payload: sent.body as object }),
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      body: (isJson ? answer.json() : answer.rawPayload) as Envelope<Data>,
      headers: answer.headers as Record<string, string>,
    }
  }
  return {
    ...database,
    app,
    secrets,
    call,
    async signIn(userName) {
      const answer = await call<{ token: string }>('POST', '/api/sessions/login', {
        body: { username: userName, password: testPassword },
        // One address signs in sixty times a minute at most.
        address: `10.0.${(signIns >> 8) & 255}.${signIns++ & 255}`,
      })
      return answer.body.data.token
    },
    async stop() {
      await app.close()
      await database.close()
      await testDatabase.drop()
    },
  }
}

let signIns = 0
let passwordHash: Promise<string> | undefined

/** Adds an organisation with its owner; the owner's user name is the organisation's name. */
export async function addOrganisation(
  { pool }: DatabasePool,
  kind: 'agent' | 'merchant',
  name: string,
  parentId = 1,
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `with made as (select nextval(pg_get_serial_sequence('organisations', 'id')) as id)
     insert into organisations (id, parent_id, kind, path, name)
     select made.id, $2, $1, parent.path || made.id::text, $3 from made, organisations parent where parent.id = $2 returning id`,
    [kind, parentId, name],
  )
  const id = rows[0]?.id ?? 0
  await addAccount({ pool }, { organisationId: id, userName: name, isOwner: true, tree: kind })
  return id
}

/** Adds an account that holds all of its tree, or just the given nodes. */
export async function addAccount(
  { pool }: Pick<DatabasePool, 'pool'>,
  account: {
    organisationId: number
    userName: string
    isOwner: boolean
    tree: PermissionTree
    permissionIds?: number[]
  },
): Promise<number> {
  // Checked by each sign-in, with the effort that it was made with: next to none, for a password that is no secret.
  passwordHash ??= hash(testPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  const { rows } = await pool.query<{ id: number }>(
    `insert into accounts (organisation_id, user_name, real_name, is_owner, password_hash, permission_ids)
     values ($1, $2, $2, $3, $4, $5) returning id`,
    [
      account.organisationId,
      account.userName,
      account.isOwner,
      await passwordHash,
      account.permissionIds ?? permissionIds(account.tree),
    ],
  )
  return rows[0]?.id ?? 0
}
