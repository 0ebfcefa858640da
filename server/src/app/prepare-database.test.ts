import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type DatabasePool } from '../kit/database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { prepareDatabase } from './prepare-database.ts'

let testDatabase: TestDatabase
let database: DatabasePool

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.url)
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

describe('the partitions of the months ahead', () => {
  it('are made once by servers that start together', async () => {
    const start = () => prepareDatabase(database.db, { timeZone: 'Asia/Shanghai', keyFingerprint: 'same' })
    await start()
    const partitions = async () =>
      (
        await database.pool.query<{ name: string }>(
          `select inhrelid::regclass::text as name from pg_inherits
            where inhparent in ('orders'::regclass, 'ledger_entries'::regclass) order by 1`,
        )
      ).rows.map(({ name }) => name)
    const before = await partitions()
    const last = before.filter((name) => name.endsWith(before.at(-1)?.slice(-6) ?? ''))
    expect(last).toHaveLength(2)
    for (let turn = 0; turn < 5; turn++) {
      await database.pool.query(`drop table ${last.join(', ')}`)
      await Promise.all(Array.from({ length: 8 }, start))
      expect(await partitions()).toEqual(before)
    }
  })

  it('are made beside those who read and write the months there are', async () => {
    const start = () => prepareDatabase(database.db, { timeZone: 'Asia/Shanghai', keyFingerprint: 'same' })
    await start()
    const tables = ['orders', 'order_history', 'ledger_transfers', 'ledger_entries', 'device_status_history']
    const { rows } = await database.pool.query<{ last: string }>(
      `select to_char(now() + interval '3 months', 'YYYYMM') as last`,
    )
    const last = tables.map((table) => `${table}_${rows[0]?.last}`)
    const shapesOf = async () =>
      (
        await database.pool.query(
          `select c.relname, a.attname, a.atttypid, a.attnotnull, pg_get_expr(d.adbin, d.adrelid) as default,
                  (select array_agg(pg_get_constraintdef(k.oid) order by pg_get_constraintdef(k.oid)) from pg_constraint k where k.conrelid = c.oid) as constraints,
                  (select array_agg(pg_get_indexdef(x.indexrelid) order by pg_get_indexdef(x.indexrelid)) from pg_index x where x.indrelid = c.oid) as indexes,
                  (select array_agg(t.tgname order by t.tgname) from pg_trigger t where t.tgrelid = c.oid) as triggers
             from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
             left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
            where c.relname = any($1) order by 1, 2`,
          [last],
        )
      ).rows
    await database.pool.query(`drop table ${last.join(', ')}`)
    // As they were made before, for comparison.
    const [from, to] = (
      await database.pool.query<{ from: string; to: string }>(
        `select date_trunc('month', now() + interval '3 months')::date::text || ' 00:00:00+00' as from,
                date_trunc('month', now() + interval '4 months')::date::text || ' 00:00:00+00' as to`,
      )
    ).rows.flatMap((range) => [range.from, range.to])
    for (const [place, table] of tables.entries())
      await database.pool.query(
        `create table ${last[place]} partition of ${table} for values from ('${from}') to ('${to}')`,
      )
    const shapes = await shapesOf()
    await database.pool.query(`drop table ${last.join(', ')}`)

    const reader = await database.pool.connect()
    try {
      await reader.query('begin')
      for (const table of tables) {
        await reader.query(`select count(*) from ${table}`)
        await reader.query(`lock table ${table} in row exclusive mode`)
      }
      await start()
    } finally {
      await reader.query('rollback')
      reader.release()
    }
    expect(await shapesOf()).toEqual(shapes)
  })
})
