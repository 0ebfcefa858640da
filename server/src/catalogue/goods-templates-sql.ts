import type { Goods, GoodsTemplate } from '@chairside/contract'
import { contains } from '../kit/containing-text.ts'
import { sql, streamRows, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { goodsObject } from './goods-sql.ts'

type TemplateRecord = Omit<GoodsTemplate, 'createTime' | 'goodsCount' | 'goodsList'> & {
  createTime: Date
  goodsList: Goods[]
}

/** A template with its goods and the number of devices that sell from it, for `goods_templates t`. */
const columns = sql`
  t.id, t.name, t.merchant_id as "merchantId", t.work_mode as "workMode", t.created_at as "createTime",
  coalesce(to_char(t.sleep_start, 'HH24:MI'), '') as "sleepModeStart", coalesce(to_char(t.sleep_end, 'HH24:MI'), '') as "sleepModeEnd",
  coalesce((select jsonb_agg(${goodsObject} order by g.queue desc, g.id) from goods g
             where g.template_id = t.id and g.removed_at is null), '[]'::jsonb) as "goodsList",
  (select count(*) from devices d where d.template_id = t.id and d.removed_at is null)
    + (select count(*) from devices d where d.sleep_template_id = t.id and d.template_id is distinct from t.id and d.removed_at is null)
    as "deviceCount"`

/** Templates are a merchant's as a whole: its sub-accounts see all of them, whatever places they are bound to. */
const withinMerchantOf = (scope: Scope): Scope =>
  scope.kind === 'places' ? { kind: 'merchant', merchantId: scope.merchantId } : scope

const within = (scope: Scope) =>
  sql`t.removed_at is null and ${withinScope(withinMerchantOf(scope), { merchantId: sql`t.merchant_id` })}`

/** What a list of templates is narrowed by. */
export interface TemplateFilter {
  /** A part of the name. */
  name: string | undefined
  workMode: number | undefined
}

function matching(scope: Scope, { name, workMode }: TemplateFilter) {
  const conditions = [within(scope)]
  if (name !== undefined) conditions.push(contains(sql`t.name`, name))
  if (workMode !== undefined) conditions.push(sql`t.work_mode = ${workMode}`)
  return sql.join(conditions, sql` and `)
}

const rowOf = (record: TemplateRecord): GoodsTemplate => ({
  ...record,
  createTime: record.createTime.toISOString(),
  goodsCount: record.goodsList.length,
})

/** A page of templates, newest first, and how many there are. */
export async function findTemplates(
  db: Database,
  scope: Scope,
  filter: TemplateFilter,
  page: { skip: number; take: number },
): Promise<{ list: GoodsTemplate[]; total: number }> {
  const where = matching(scope, filter)
  const count = await sql<{
    total: number
  }>`select count(*) as total from goods_templates t where ${where}`.execute(db)
  const { rows } = await sql<TemplateRecord>`
    select ${columns} from (select * from goods_templates t where ${where} order by t.id desc offset ${page.skip} limit ${page.take}) t
     order by t.id desc`.execute(db)
  return { list: rows.map(rowOf), total: count.rows[0]?.total ?? 0 }
}

/** All templates, newest first. */
export async function* streamTemplates(
  db: Database,
  scope: Scope,
  filter: TemplateFilter,
): AsyncGenerator<GoodsTemplate[]> {
  const query = sql<TemplateRecord>`
    select ${columns} from goods_templates t where ${matching(scope, filter)} order by t.id desc`
  for await (const records of streamRows(db, query)) yield records.map(rowOf)
}

/** One template. */
export async function findTemplate(
  db: Database,
  scope: Scope,
  templateId: number,
): Promise<GoodsTemplate | undefined> {
  const { rows } = await sql<TemplateRecord>`
    select ${columns} from goods_templates t where t.id = ${templateId} and ${within(scope)}`.execute(db)
  return rows[0] && rowOf(rows[0])
}

/** The same, locked until the transaction ends: no device is bound to it and no goods are added meanwhile. */
export async function lockTemplate(
  db: Database,
  scope: Scope,
  templateId: number,
): Promise<GoodsTemplate | undefined> {
  await sql`select 1 from goods_templates where id = ${templateId} for no key update`.execute(db)
  return findTemplate(db, scope, templateId)
}

/** Sleep times as they are stored; massage has none. */
export interface TemplateValues {
  name: string
  sleepStart: string | null
  sleepEnd: string | null
}

export async function insertTemplate(
  db: Database,
  made: TemplateValues & { merchantId: number; workMode: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into goods_templates (merchant_id, name, work_mode, sleep_start, sleep_end)
    values (${made.merchantId}, ${made.name}, ${made.workMode}, ${made.sleepStart}::time, ${made.sleepEnd}::time) returning id`.execute(
    db,
  )
  if (!rows[0]) throw new Error('the template was not inserted')
  return rows[0].id
}

export async function updateTemplate(
  db: Database,
  templateId: number,
  values: TemplateValues,
): Promise<void> {
  await sql`
    update goods_templates set name = ${values.name}, sleep_start = ${values.sleepStart}::time, sleep_end = ${values.sleepEnd}::time
     where id = ${templateId}`.execute(db)
}

/** Deletes a template with its goods and takes it from the devices that sold from it; orders keep what they bought. */
export async function removeTemplate(
  db: Database,
  templateId: number,
): Promise<{ devices: number; goods: number }> {
  await sql`update goods_templates set removed_at = now() where id = ${templateId}`.execute(db)
  // In the order in which others lock them: devices by id, then what they sell by id.
  const sellers = sql`template_id = ${templateId} or sleep_template_id = ${templateId}`
  await sql`select 1 from devices where ${sellers} order by id for no key update`.execute(db)
  const devices = await sql`
    update devices set template_id = nullif(template_id, ${templateId}), sleep_template_id = nullif(sleep_template_id, ${templateId})
     where ${sellers} returning 1`.execute(db)
  await sql`select 1 from goods where template_id = ${templateId} order by id for no key update`.execute(db)
  const goods = await sql`
    update goods set removed_at = now() where template_id = ${templateId} and removed_at is null returning 1`.execute(
    db,
  )
  return { devices: devices.rows.length, goods: goods.rows.length }
}
