import type pg from 'pg'

/** A table as a backup has it; of one in months the whole. */
export interface TableShape {
  /** With its schema, quoted as SQL wants it. */
  name: string
  /** Those that hold something of their own; what is computed from others is computed again. */
  columns: string[]
  /** First days of the months it is divided into. */
  months: string[]
}

const schemas = ['public', 'graphile_worker']

/**
 * What is of no use elsewhere: the schema's own history, which the program that restores writes itself, processes, and what
 * lets somebody in. Whoever ended a session has not ended it in a backup of before.
 */
const leftOut = [
  'schema_migrations',
  'graphile_worker.migrations',
  'worker_processes',
  'sessions',
  'upload_tokens',
]

/** All tables whose rows make up what is kept. */
export async function findTables(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.oid::regclass::text as name,
            array(select quote_ident(a.attname) from pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                   order by a.attnum) as columns,
            array(select to_char(to_date(substring(i.inhrelid::regclass::text from '_(\\d{6})$'), 'YYYYMM'), 'YYYY-MM-DD')
                    from pg_inherits i where i.inhparent = c.oid order by 1) as months
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
        and c.oid::regclass::text <> all($2)
      order by 1`,
    [schemas, leftOut],
  )
  return rows
}

export interface AppliedMigration {
  name: string
  checksum: string
}

export async function findMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, checksum from schema_migrations order by name',
  )
  return rows
}

/** What each sequence gave last; one that never gave anything is left out. */
export async function findSequences(client: pg.ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
       from pg_sequences where schemaname = any($1) and last_value is not null order by 1`,
    [schemas],
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

export async function setSequences(client: pg.ClientBase, sequences: Record<string, string>): Promise<void> {
  for (const [name, last] of Object.entries(sequences))
    await client.query('select setval($1::regclass, $2::bigint)', [name, last])
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/**
 * Runs `work` with no reference between tables and no trigger of ours, and puts them back: rows are checked against each other
 * once, when all are there, and nothing is counted a second time. To be called in a transaction.
 */
export async function withoutRules(
  client: pg.ClientBase,
  tables: readonly TableShape[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows: foreignKeys } = await client.query<ForeignKey>(
    `select c.conrelid::regclass::text as "table", quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
       from pg_constraint c join pg_namespace n on n.oid = c.connamespace
      where c.contype = 'f' and c.conparentid = 0 and n.nspname = any($1)`,
    [schemas],
  )
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`)
  await work()
  for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`)
  for (const { table, name, definition } of foreignKeys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
}

/** Jobs that were under way when the backup was made are nobody's now. */
export async function freeJobs(client: pg.ClientBase): Promise<void> {
  await client.query(
    'update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null',
  )
  await client.query(
    'update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null',
  )
}
