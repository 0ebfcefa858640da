import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { sheetType } from '@chairside/contract'
import { signIn, type Caller } from './callers.ts'
import { createHttpClient } from './http-client.ts'
import { timingOf, type Timing } from './measure.ts'
import { rowColumns, rowTables } from './peer-sql.ts'
import { listedYear } from './prepare-data.ts'
import type { ServerProcess } from './servers.ts'

export interface ExportResult {
  rows: number
  sheetMegabytes: number
  copy: Timing
  sheet: Timing
  /** Of the server's process, from its start. */
  peakMegabytesBefore: number
  peakMegabytes: number
}

interface Period {
  startDate: string
  rows: number
}

/** The days up to the end of the listed year that hold as many orders as wanted, or the whole year. */
async function findPeriod(client: pg.Client, wanted: number): Promise<Period> {
  const { rows } = await client.query<{ day: string; running: string }>(
    `select day::text, sum(sum(orders)) over (order by day desc) as running from order_day_counters
      where scope_kind = 'o' and scope_id = 1 and day >= $1 and day <= $2 group by day order by day desc`,
    [`${listedYear}-01-01`, `${listedYear}-12-31`],
  )
  const found = rows.find(({ running }) => Number(running) >= wanted) ?? rows.at(-1)
  if (!found) throw new Error('there is nothing to export')
  return { startDate: found.day, rows: Number(found.running) }
}

async function copyRows(client: pg.Client, { startDate }: Period): Promise<number> {
  let bytes = 0
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done()
    },
  })
  const query = `copy (select ${rowColumns} from ${rowTables}
    where o.order_time >= '${startDate} 00:00+08' and o.order_time < '${listedYear + 1}-01-01 00:00+08'
    order by o.order_time desc, o.order_id desc) to stdout`
  await pipeline(client.query(copyTo(query)), sink)
  return bytes
}

/** Exports the operator's orders as Excel through the product, and by `COPY` without it, in turn. */
export async function measureExport(
  product: ServerProcess,
  databaseUrl: string,
  admin: Caller,
  options: { rounds: number; rows: number },
): Promise<ExportResult> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c timezone=UTC' })
  await client.connect()
  const http = createHttpClient(product.url)
  try {
    const period = await findPeriod(client, options.rows)
    const token = await signIn(http, admin.userName)
    const path = `/api/orders?year=${listedYear}&startdate=${period.startDate}&pagesize=0`
    const peakMegabytesBefore = product.peakMegabytes()
    const times = { copy: [] as number[], sheet: [] as number[] }
    let sheetBytes = 0
    for (let round = 0; round < options.rounds; round++) {
      const start = performance.now()
      await copyRows(client, period)
      const middle = performance.now()
      sheetBytes = await http.countBytes(path, { ...token, accept: sheetType })
      times.copy.push(middle - start)
      times.sheet.push(performance.now() - middle)
    }
    return {
      rows: period.rows,
      sheetMegabytes: Math.round(sheetBytes / 1_000_000),
      copy: timingOf(times.copy),
      sheet: timingOf(times.sheet),
      peakMegabytesBefore,
      peakMegabytes: product.peakMegabytes(),
    }
  } finally {
    http.close()
    await client.end()
  }
}
