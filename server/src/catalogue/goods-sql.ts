import { picturesPath, type Goods } from '@chairside/contract'
import { sql, streamRows, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

/** Goods as the wire has them, for `goods g` and their template `t`. */
export const goodsObject = sql`
  jsonb_build_object('id', g.id, 'name', g.name, 'nameEn', g.name_en, 'price', g.price_cents, 'duration', g.duration_minutes,
    'queue', g.queue, 'freeFirst', g.free_first, 'memberOnly', g.member_only, 'timeLimit', g.time_limited,
    'timeStart', coalesce(g.time_start::text, ''), 'timeEnd', coalesce(g.time_end::text, ''), 'instock', g.stock,
    'portrait', g.portrait_key, 'bucketHost', ${picturesPath}::text, 'workMode', t.work_mode, 'templateid', t.id)`

const tables = sql`goods g join goods_templates t on t.id = g.template_id`

const within = (scope: Scope) =>
  sql`g.removed_at is null and t.removed_at is null and ${withinScope(scope, { merchantId: sql`g.merchant_id` })}`

const ofTemplate = (templateId: number) => sql<{ goods: Goods }>`
  select ${goodsObject} as goods from ${tables}
   where g.template_id = ${templateId} and g.removed_at is null order by g.queue desc, g.id`

/** A page of the goods of a template that the caller may see, and how many there are. */
export async function findGoodsOf(
  db: Database,
  templateId: number,
  page: { skip: number; take: number },
): Promise<{ list: Goods[]; total: number }> {
  const count = await sql<{ total: number }>`
    select count(*) as total from goods where template_id = ${templateId} and removed_at is null`.execute(db)
  const { rows } = await sql<{ goods: Goods }>`
    ${ofTemplate(templateId)} offset ${page.skip} limit ${page.take}`.execute(db)
  return { list: rows.map(({ goods }) => goods), total: count.rows[0]?.total ?? 0 }
}

/** All goods of a template, some at a time. */
export async function* streamGoodsOf(db: Database, templateId: number): AsyncGenerator<Goods[]> {
  for await (const rows of streamRows(db, ofTemplate(templateId))) yield rows.map(({ goods }) => goods)
}

/** One of the goods. */
export async function findGoods(db: Database, scope: Scope, goodsId: number): Promise<Goods | undefined> {
  const { rows } = await sql<{ goods: Goods }>`
    select ${goodsObject} as goods from ${tables} where g.id = ${goodsId} and ${within(scope)}`.execute(db)
  return rows[0]?.goods
}

/** The same, locked until the transaction ends. */
export async function lockGoods(db: Database, scope: Scope, goodsId: number): Promise<Goods | undefined> {
  await sql`select 1 from goods where id = ${goodsId} for no key update`.execute(db)
  return findGoods(db, scope, goodsId)
}

/**
 * Adds goods to a template, one or thousands.
 * @returns their ids, in the order in which they were given
 */
export async function insertGoods(
  db: Database,
  template: { id: number; merchantId: number },
  goods: readonly { name: string; nameen?: string | undefined; price: number; duration: number }[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into goods (template_id, merchant_id, name, name_en, price_cents, duration_minutes)
      select ${template.id}::bigint, ${template.merchantId}::bigint, one ->> 'name', coalesce(one ->> 'nameen', ''),
             (one ->> 'price')::bigint, (one ->> 'duration')::integer
        from jsonb_array_elements(${JSON.stringify(goods)}::jsonb) with ordinality as given (one, position) order by position
      returning id)
    select id from made order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Stores goods as they are given, but for the stock where none is. */
export async function updateGoods(db: Database, goods: Goods, stock: number | undefined): Promise<void> {
  await sql`
    update goods set name = ${goods.name}, name_en = ${goods.nameEn}, price_cents = ${goods.price}, duration_minutes = ${goods.duration},
           queue = ${goods.queue}, free_first = ${goods.freeFirst}, member_only = ${goods.memberOnly}, time_limited = ${goods.timeLimit},
           time_start = nullif(${goods.timeStart}, '')::date, time_end = nullif(${goods.timeEnd}, '')::date,
           stock = coalesce(${stock ?? null}::integer, stock), portrait_key = ${goods.portrait}
     where id = ${goods.id}`.execute(db)
}

/** Deletes goods; orders keep them. */
export async function removeGoods(db: Database, goodsId: number): Promise<void> {
  await sql`update goods set removed_at = now() where id = ${goodsId}`.execute(db)
}
