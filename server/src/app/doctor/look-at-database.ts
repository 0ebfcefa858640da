import { openDatabase, sql, type Database } from '../../kit/database.ts'
import { knownMigrations } from '../../kit/migrate.ts'
import { tableOfChecks } from '../verify/table-of-checks.ts'
import { verifyLedger, verifyLists } from '../verify/verify-ledger.ts'
import { bad, fine, look, poor, reasonOf, type Finding } from './finding.ts'

export interface DatabaseToLookAt {
  databaseUrl: string
  timeZone: string
  /** Undefined where there is no key to compare. */
  keyFingerprint: string | undefined
  /** The book is read whole, which takes its time with millions of orders. */
  withLedger: boolean
}

const oldestVersion = 150_000

async function lookAtServer(db: Database): Promise<Finding> {
  const { rows } = await sql<{ number: number; version: string; encoding: string; ctype: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
           pg_encoding_to_char(encoding) as encoding, datctype as ctype from pg_database where datname = current_database()`.execute(
    db,
  )
  const { number = 0, version = '', encoding = '', ctype = '' } = rows[0] ?? {}
  const words = `PostgreSQL ${version}, ${encoding}, character type ${ctype}`
  if (number < oldestVersion) return bad('database', `${words}: it has to be 15 or newer.`)
  if (encoding !== 'UTF8') return bad('database', `${words}: its encoding has to be UTF8.`)
  if (/^(C|POSIX)$/.test(ctype))
    return poor('database', `${words}: names in Chinese are searched slowly; make one with C.UTF-8.`)
  return fine('database', words)
}

async function lookAtSchema(db: Database): Promise<Finding> {
  const { rows: there } = await sql<{ isThere: boolean }>`
    select to_regclass('schema_migrations') is not null as "isThere"`.execute(db)
  if (!there[0]?.isThere)
    return bad('schema', 'The database is empty; the first process that starts makes it.')
  const { rows: applied } = await sql<{ name: string; checksum: string }>`
    select name, checksum from schema_migrations order by name`.execute(db)
  const known = new Map(knownMigrations().map(({ name, checksum }) => [name, checksum]))
  const strange = applied.find(({ name, checksum }) => known.get(name) !== checksum)
  if (strange)
    return bad('schema', `${strange.name} is not of this version: the database is newer, or was changed.`)
  const done = new Set(applied.map(({ name }) => name))
  const pending = [...known.keys()].filter((name) => !done.has(name))
  if (pending.length > 0)
    return poor(
      'schema',
      `${pending.length === 1 ? 'One migration is' : `${pending.length} migrations are`} not applied yet; the next process that starts does it.`,
    )
  return fine('schema', `of this version, ${applied.at(-1)?.name}`)
}

async function lookAtSettings(db: Database, wanted: DatabaseToLookAt): Promise<Finding[]> {
  const { rows } = await sql<{ timeZone: string; fingerprint: string | null }>`
    select time_zone as "timeZone", key_fingerprint as fingerprint from platform_settings`.execute(db)
  const { timeZone = '', fingerprint = null } = rows[0] ?? {}
  return [
    timeZone === wanted.timeZone
      ? fine('time zone', timeZone)
      : bad('time zone', `TIME_ZONE is ${wanted.timeZone}, the database's is ${timeZone}.`),
    wanted.keyFingerprint === undefined
      ? poor('secret key', 'SECRET_KEY is not set, so it was not compared.')
      : fingerprint === null || fingerprint === wanted.keyFingerprint
        ? fine('secret key', `fingerprint ${wanted.keyFingerprint}`)
        : bad(
            'secret key',
            `The fingerprint of SECRET_KEY is ${wanted.keyFingerprint}, the database's is ${fingerprint}.`,
          ),
  ]
}

const mostApartMs = 2000

async function lookAtClock(db: Database): Promise<Finding> {
  const before = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const after = Date.now()
  const there = rows[0]?.now.getTime() ?? 0
  const apartMs = Math.max(before - there, there - after, 0)
  const words = `${(apartMs / 1000).toFixed(1)} s apart from the database's`
  return apartMs > mostApartMs
    ? bad(
        'clock',
        `${words}: payment providers refuse requests of a wrong clock; let both follow one time server.`,
      )
    : fine('clock', words)
}

async function lookAtConnections(db: Database): Promise<Finding> {
  const { rows } = await sql<{ used: number; most: number }>`
    select (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
           current_setting('max_connections')::int as most`.execute(db)
  const { used = 0, most = 0 } = rows[0] ?? {}
  const words = `${used} of ${most} are taken`
  return used > most * 0.9
    ? poor('connections', `${words}: lower DATABASE_CONNECTIONS, or raise the database's max_connections.`)
    : fine('connections', words)
}

async function lookAtMonths(db: Database): Promise<Finding> {
  const { rows } = await sql<{ missing: string | null }>`
    select string_agg(t || ' ' || to_char(month, 'YYYY-MM'), ', ') as missing
      from unnest(array['orders', 'order_history', 'ledger_transfers', 'ledger_entries', 'device_status_history']) t,
           unnest(array[now(), now() + interval '1 month']) month
     where to_regclass(t || '_' || to_char(month at time zone 'UTC', 'YYYYMM')) is null`.execute(db)
  const missing = rows[0]?.missing
  return missing
    ? bad('months', `There is no room for ${missing}; start a process, or one with the role worker.`)
    : fine('months', 'this one and the next are there')
}

const mostUnfolded = 20_000

async function lookAtWork(db: Database): Promise<Finding[]> {
  const { rows } = await sql<{ late: number; unfolded: number; refunds: number; givenUp: number }>`
    select (select count(*) from graphile_worker.jobs where run_at < now() - interval '1 minute' and locked_at is null
               and attempts < max_attempts) as late,
           (select count(*) from graphile_worker.jobs where attempts >= max_attempts and locked_at is null) as "givenUp",
           (select count(*) from order_counter_deltas) + (select count(*) from income_deltas) as unfolded,
           (select count(*) from provider_refunds where state in ('wanted', 'accepted') and created_at < now() - interval '1 hour') as refunds`.execute(
    db,
  )
  const { late = 0, unfolded = 0, refunds = 0, givenUp = 0 } = rows[0] ?? {}
  return [
    late > 0
      ? poor('jobs', `${late} are more than a minute late: is there a process with the role worker?`)
      : givenUp > 0
        ? poor('jobs', `${givenUp} failed for good: see last_error in graphile_worker.jobs.`)
        : fine('jobs', 'none is late'),
    unfolded > mostUnfolded
      ? poor('counters', `${unfolded} changes are not folded: is there a process with the role worker?`)
      : fine('counters', `${unfolded} changes wait to be folded`),
    refunds > 0
      ? poor('refunds', `${refunds} are on their way for more than an hour.`)
      : fine('refunds', 'none is on its way for more than an hour'),
  ]
}

async function lookAtLedger(db: Database): Promise<Finding> {
  const results = await verifyLedger(db)
  const differing = results.filter((result) => result.differing > 0)
  return differing.length > 0
    ? bad('ledger', `The book does not hold:\n${tableOfChecks(differing).trimEnd()}`)
    : fine('ledger', `${results.length} proofs hold, also that rollups equal their facts`)
}

async function lookAtLists(db: Database): Promise<Finding> {
  const results = await verifyLists(db)
  const differing = results.filter((result) => result.differing > 0)
  return differing.length > 0
    ? bad('lists', `They count or name what is not so:\n${tableOfChecks(differing).trimEnd()}`)
    : fine('lists', 'what they count and name of devices and organisations is so')
}

/** Looks at the database and what is in it; where it is away, that is all there is to say. */
export async function lookAtDatabase(wanted: DatabaseToLookAt): Promise<Finding[]> {
  const { db, close } = openDatabase(wanted.databaseUrl, {
    maxConnections: 1,
    applicationName: 'chairside doctor',
  })
  try {
    await sql`select 1`.execute(db)
    const findings = await look('database', () => lookAtServer(db))
    const schema = await look('schema', () => lookAtSchema(db))
    findings.push(...schema, ...(await look('clock', () => lookAtClock(db))))
    findings.push(...(await look('connections', () => lookAtConnections(db))))
    // The rest may have another form in a schema of another version.
    if (schema.some(({ state }) => state !== 'ok')) return findings
    findings.push(...(await look('settings', () => lookAtSettings(db, wanted))))
    findings.push(...(await look('months', () => lookAtMonths(db))))
    findings.push(...(await look('jobs', () => lookAtWork(db))))
    if (!wanted.withLedger) return findings
    findings.push(...(await look('ledger', () => lookAtLedger(db))))
    findings.push(...(await look('lists', () => lookAtLists(db))))
    return findings
  } catch (error) {
    return [bad('database', `It cannot be reached: ${reasonOf(error)}`)]
  } finally {
    await close()
  }
}
