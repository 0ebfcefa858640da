import { newOrderId } from '@chairside/server/orders/order-id'
import type pg from 'pg'

export interface UnpaidOrder {
  outTradeNo: string
  amountCents: number
}

const daysAhead = 62

/**
 * Places orders that wait for their payment, as the pay page would, on chairs in turn.
 * @param merchant of all merchants, or only of the one with the most chairs
 */
export async function placeUnpaidOrders(
  client: pg.Client,
  count: number,
  merchant: 'any' | 'one',
): Promise<UnpaidOrder[]> {
  await client.query(
    `select ensure_month_partitions(t, (now() - interval '1 month')::date, (now() + make_interval(days => $1))::date)
       from unnest(array['orders', 'order_history', 'ledger_transfers', 'ledger_entries']::regclass[]) t`,
    [daysAhead],
  )
  const now = Date.now()
  const ids = Array.from({ length: count }, (_, index) => {
    const at = new Date(now - count + index)
    return { id: newOrderId('KT', at), at: at.toISOString() }
  })
  const { rows } = await client.query<{ outTradeNo: string; amountCents: string }>(
    `with chairs as (
       select d.*, p.address, g.id as goods_id, g.name as goods_name, g.price_cents, g.duration_minutes,
              row_number() over (order by d.id % 997, d.id) - 1 as place_in_turn, count(*) over () as chairs
         from devices d join places p on p.id = d.place_id
         join lateral (select * from goods g where g.template_id = d.template_id and g.price_cents > 0 order by g.id limit 1) g on true
        where d.bound and d.locked = 0 and (not $3 or d.merchant_id = (
          select merchant_id from devices where bound group by merchant_id order by count(*) desc limit 1))),
     wanted as (select id, at, n - 1 as n from unnest($1::text[], $2::timestamptz[]) with ordinality as w (id, at, n)),
     placed as (
       insert into orders (order_id, order_time, merchant_id, place_id, device_id, device_sid, goods_id, goods_name, address,
                           duration_minutes, fee_cents, status)
       select w.id, w.at, c.merchant_id, c.place_id, c.id, c.sid, c.goods_id, c.goods_name, c.address, c.duration_minutes, c.price_cents, 1
         from wanted w join chairs c on c.place_in_turn = w.n % c.chairs
       returning order_id, merchant_id, fee_cents)
     insert into payments (out_trade_no, order_id, merchant_id, channel_id, amount_cents, trade, state, expires_at)
     select order_id || '01', order_id, merchant_id, 1, fee_cents, 'native', 'prepared', now() + interval '1 hour' from placed
     returning out_trade_no as "outTradeNo", amount_cents as "amountCents"`,
    [ids.map(({ id }) => id), ids.map(({ at }) => at), merchant === 'one'],
  )
  // What autovacuum would have done by the time that so many orders have come in.
  await client.query(
    `analyze orders, order_history, payments, payment_notices, ledger_accounts, ledger_transfers, ledger_entries, device_commands`,
  )
  return rows.map(({ outTradeNo, amountCents }) => ({ outTradeNo, amountCents: Number(amountCents) }))
}

/** Forgets what settled orders have asked of chairs that are not there; no workers may be at it. */
export async function forgetStarts(client: pg.Client): Promise<void> {
  await client.query('delete from graphile_worker._private_jobs')
  await client.query(
    `update device_commands set state = 'timedOut', ended_at = now() where state in ('pending', 'sent', 'accepted')`,
  )
}
