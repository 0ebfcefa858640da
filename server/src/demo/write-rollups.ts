import type pg from 'pg'

const incomeColumns = `wechat_income_cents, alipay_income_cents, ccb_income_cents, unionpay_income_cents, qrcode_count,
  recharge_income_cents, recharge_count, other_income_cents, other_count, member_income_cents, member_count`
const incomeSums = incomeColumns
  .split(',')
  .map((column) => `sum(${column.trim()})`)
  .join(', ')

/** Brings counters and income rollups in step with a history that was written past them. */
export async function writeRollups(client: pg.ClientBase): Promise<void> {
  await client.query('select rebuild_order_counters()')
  await client.query(`
    create temp table made_income as
    with facts as (
      select merchant_id, place_id, paid_at as at, fee_cents as amount_cents, 1 as count, order_id, pay_channel, member_id
        from orders where paid_at is not null
      union all
      select o.merchant_id, o.place_id, coalesce(r.settled_at, o.paid_at + interval '96 seconds'), -o.refunded_cents, 0, o.order_id, o.pay_channel, o.member_id
        from orders o left join refunds r on r.order_id = o.order_id and r.status in (1, 3) where o.refunded_cents > 0)
    select merchant_id, place_id, (at at time zone 'Asia/Shanghai')::date as day,
           coalesce(sum(amount_cents) filter (where left(order_id, 2) = 'KT' and pay_channel like 'wechat%'), 0) as wechat_income_cents,
           0::bigint as alipay_income_cents, 0::bigint as ccb_income_cents, 0::bigint as unionpay_income_cents,
           coalesce(sum(count) filter (where left(order_id, 2) = 'KT' and pay_channel like 'wechat%'), 0) as qrcode_count,
           coalesce(sum(amount_cents) filter (where left(order_id, 2) = 'CZ'), 0) as recharge_income_cents,
           coalesce(sum(count) filter (where left(order_id, 2) = 'CZ'), 0) as recharge_count,
           coalesce(sum(amount_cents) filter (where pay_channel in ('manualStart', 'externalStart')), 0) as other_income_cents,
           coalesce(sum(count) filter (where pay_channel in ('manualStart', 'externalStart')), 0) as other_count,
           0::bigint as member_income_cents, 0::bigint as member_count
      from facts group by 1, 2, 3`)
  await client.query(`
    insert into income_days (merchant_id, day, ${incomeColumns})
    select merchant_id, day, ${incomeSums} from made_income group by merchant_id, day`)
  await client.query(`
    insert into income_place_days (place_id, merchant_id, day, ${incomeColumns})
    select place_id, merchant_id, day, ${incomeSums} from made_income where place_id is not null group by place_id, merchant_id, day`)
  await client.query(`
    insert into income_scope_days (scope_id, day, ${incomeColumns})
    select scope.scope_id, i.day, ${incomeSums}
      from income_days i
      join (select o.id as merchant_id, above.id as scope_id from organisations o
             cross join unnest(string_to_array(o.path::text, '.')::bigint[]) above (id) where above.id <> o.id) scope
        on scope.merchant_id = i.merchant_id
     group by scope.scope_id, i.day`)
  await client.query('drop table made_income')
  await client.query('select rebuild_device_sales()')
  await client.query('select rebuild_device_counters()')
}
