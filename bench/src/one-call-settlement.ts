import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { UnpaidOrder } from './unpaid-orders.ts'

/*
 * What settling is measured against: one call of the database for each payment, in a transaction of its own, that
 * writes all that the product writes: the notice, the payment, the order and its history, the ledger, the income, the
 * start of the chair and its job.
 */

const callers = 16
const threads = 2

const definition = `
  drop table if exists bench_unsettled;
  create table bench_unsettled (n bigint primary key, out_trade_no text not null);
  drop sequence if exists bench_settled;
  create sequence bench_settled;
  create or replace function bench_settle() returns void language plpgsql as $$
  declare
    turn bigint := nextval('bench_settled');
    paid payments;
    bought orders;
  begin
    update payments p set state = 'paid', transaction_id = 'bench' || p.out_trade_no, payer_id = 'o' || p.out_trade_no, paid_at = now()
      from bench_unsettled u
     where u.n = turn and p.out_trade_no = u.out_trade_no and p.state <> 'paid' returning p.* into strict paid;
    select * from orders o where o.order_id = paid.order_id and o.order_time = to_timestamp(
      substr(paid.order_id, 3, 15), 'YYMMDDHH24MISSMS') for update into strict bought;
    perform post_transfers(jsonb_build_array(jsonb_build_object(
      'place', 0, 'merchant_id', paid.merchant_id, 'amount_cents', paid.amount_cents, 'cause', 'payment:' || paid.out_trade_no,
      'cause_time', bought.order_time, 'from_kind', 'outside', 'from_channel', 'wechatPay', 'from_member', null,
      'to_kind', 'wechatBalance', 'to_channel', '', 'to_member', null)));
    update orders set status = 3, pay_channel = 'wechatPay', channel_id = 1, transaction_id = paid.transaction_id, paid_at = now()
     where order_id = bought.order_id and order_time = bought.order_time and merchant_id = bought.merchant_id and status = 1;
    insert into order_history (order_id, order_time, merchant_id, from_status, to_status, cause, by_whom, detail)
    values (bought.order_id, bought.order_time, bought.merchant_id, 1, 3, 'paid', 'provider', 'notice');
    insert into income_deltas (merchant_id, place_id, device_id, day, kind, amount_cents, count)
    values (bought.merchant_id, bought.place_id, bought.device_id, platform_day(now()), 'wechat', paid.amount_cents, 1);
    insert into device_commands (id, device_id, kind, order_id, payload, requested_by)
    values (bought.order_id, bought.device_id, 'start', bought.order_id, '{"durationSeconds": 900}', 'system');
    perform graphile_worker.add_job('devices.deliver-command', json_build_object('commandId', bought.order_id),
                                    job_key => 'deliver:' || bought.order_id);
    insert into payment_notices (channel_id, notice_id, kind, out_trade_no, outcome, body_digest)
    values (1, paid.out_trade_no, 'payment', paid.out_trade_no, 'settled', sha256(paid.out_trade_no::bytea));
  end $$`

/** Settles orders by one call each from some callers at once. @returns a second, and by what it was measured */
export async function settleByOneCall(
  client: pg.Client,
  databaseUrl: string,
  orders: readonly UnpaidOrder[],
): Promise<{ aSecond: number; by: 'pgbench' | 'pg' }> {
  await client.query(definition)
  await client.query(
    'insert into bench_unsettled select n, out_trade_no from unnest($1::text[]) with ordinality as o (out_trade_no, n)',
    [orders.map(({ outTradeNo }) => outTradeNo)],
  )
  const perCaller = Math.floor(orders.length / callers)
  return (await byPgbench(databaseUrl, perCaller)) ?? (await byDriver(databaseUrl, perCaller))
}

async function byPgbench(databaseUrl: string, perCaller: number) {
  const script = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'chairside-pgbench-')), 'settle.sql')
  fs.writeFileSync(script, 'select bench_settle();\n')
  const options = ['-n', '-M', 'prepared', '-c', callers, '-j', threads, '-t', perCaller, '-f', script]
  try {
    const { stdout } = await promisify(execFile)('pgbench', [...options.map(String), databaseUrl])
    const aSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    if (!Number.isFinite(aSecond)) throw new Error(`pgbench said: ${stdout}`)
    return { aSecond, by: 'pgbench' as const }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    fs.rmSync(path.dirname(script), { recursive: true })
  }
}

/** Where there is no pgbench: the same calls from this process. */
async function byDriver(databaseUrl: string, perCaller: number) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: callers })
  const start = performance.now()
  const call = async () => {
    for (let done = 0; done < perCaller; done++)
      await pool.query({ name: 'settle', text: 'select bench_settle()' })
  }
  await Promise.all(Array.from({ length: callers }, call))
  const seconds = (performance.now() - start) / 1000
  await pool.end()
  return { aSecond: (perCaller * callers) / seconds, by: 'pg' as const }
}
