import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../kit/database.ts'
import { alertTimes, startTestAlerts, type TestAlerts } from '../../testing/test-alerts.ts'
import { lookForAlerts } from './look-for-alerts.ts'

let bed: TestAlerts
beforeAll(async () => {
  bed = await startTestAlerts()
  const { pool, ids } = bed
  // A network of fifty thousand devices at five thousand places, of which one in a hundred is offline and as many have a weak signal.
  await pool.query(`alter table devices disable trigger all`)
  await pool.query(
    `insert into places (id, merchant_id, address) select n, $1, 'place ' || n from generate_series(10001, 15000) n`,
    [ids['spa']],
  )
  await pool.query(
    `insert into devices (id, sid, model_id, merchant_id, place_id, template_id, bound, bound_at, credential_hash)
     select n, 'G' || n, $1, $2, 10001 + n / 10 % 5000, $3, true, '2026-01-01', '' from generate_series(100001, 150000) n`,
    [ids['model'], ids['spa'], ids['template']],
  )
  await pool.query(
    `insert into device_states (device_id, status, signal, last_seen_at, status_since)
     select n, case when n % 100 = 0 then 2 else 1 end, case n % 100 when 1 then 1 else 4 end, $1, $1 from generate_series(100001, 150000) n`,
    [bed.at(0)],
  )
  await pool.query(
    `insert into place_rhythms select id, array_fill(1.0, array[168]), $1 from places where id > 10000`,
    [bed.at(0)],
  )
  await pool.query(
    `insert into device_rhythms (device_id, place_id, usual_hours, limit_hours, idle_from, quiet_from, is_stale)
     select id, place_id, 3, 9, $1, $1::timestamptz + make_interval(mins => 540 + (id % 9000)::integer), false from devices`,
    [bed.at(0)],
  )
  await pool.query('vacuum analyze')
})
afterAll(() => bed.stop())

const wholeTable = 50_000

it('a look at fifty thousand devices reads the narrow states whole, all else from indexes, and writes nothing twice', async () => {
  await bed.lookFrom(29, 31)
  await bed.look(600)
  await bed.pool.query('vacuum analyze')
  await bed.db.transaction().execute(async (trx) => {
    const counts = async () =>
      (
        await sql<{ name: string; read: number; written: number }>`
      select relname as name, seq_tup_read as read, n_tup_ins + n_tup_upd + n_tup_del as written
        from pg_stat_xact_user_tables where schemaname = 'public'`.execute(trx)
      ).rows
    // What this connection did just before may still be among them.
    const before = new Map((await counts()).map((one) => [one.name, one]))
    await lookForAlerts(trx, alertTimes, bed.at(600))
    const rows = (await counts()).map(({ name, read, written }) => ({
      name,
      read: read - (before.get(name)?.read ?? 0),
      written: written - (before.get(name)?.written ?? 0),
    }))
    expect(rows.filter(({ read }) => read >= wholeTable).map(({ name }) => name)).toEqual(['device_states'])
    expect(rows.filter(({ written }) => written > 0)).toEqual([])
  })
  const kinds = (await bed.alertsOf('spa', { pagesize: 0 })).map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['offline', 'weakSignal', 'quiet']))
})
