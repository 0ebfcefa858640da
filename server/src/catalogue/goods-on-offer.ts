import { sql, type Database } from '../kit/database.ts'

/** An item as a customer may buy it now. */
export interface GoodsOnOffer {
  id: number
  name: string
  nameEn: string
  priceCents: number
  durationMinutes: number
  /** Below 0 without limit. */
  stock: number
  freeFirst: boolean
  memberOnly: boolean
  workMode: 0 | 1
  portraitKey: string
}

/** Calendar day (`YYYY-MM-DD`) and time (`HH:MM`) of the platform. */
export interface LocalTime {
  day: string
  time: string
}

/**
 * What a chair offers at a local time: the goods of its sleep template within that one's hours (also across midnight,
 * the last minute excluded), of its massage template otherwise; limited items only in their days, the last one
 * included; highest `queue` first (spec 2 §§3, 9).
 */
export async function goodsOnOffer(
  db: Database,
  chair: { templateId: number | null; sleepTemplateId: number | null },
  local: LocalTime,
): Promise<GoodsOnOffer[]> {
  const { rows } = await sql<GoodsOnOffer>`
    with now_valid as (
      select t.id, t.work_mode from goods_templates t
       where t.id in (${chair.templateId}, ${chair.sleepTemplateId}) and t.removed_at is null
         and (t.work_mode = 0 or case when t.sleep_start < t.sleep_end then ${local.time}::time >= t.sleep_start and ${local.time}::time < t.sleep_end
              else ${local.time}::time >= t.sleep_start or ${local.time}::time < t.sleep_end end)
       order by t.work_mode desc limit 1)
    select g.id, g.name, g.name_en as "nameEn", g.price_cents as "priceCents", g.duration_minutes as "durationMinutes", g.stock,
           g.free_first as "freeFirst", g.member_only as "memberOnly", t.work_mode as "workMode", g.portrait_key as "portraitKey"
      from now_valid t join goods g on g.template_id = t.id
     where g.removed_at is null and (not g.time_limited or ${local.day}::date between g.time_start and g.time_end)
     order by g.queue desc, g.id`.execute(db)
  return rows
}

/** Two times of day, `HH:MM`. */
export interface Hours {
  from: string
  until: string
}

/** The hours that a chair's sleep template begins next, unless it has no goods to be bought then. */
export async function sleepHoursAhead(
  db: Database,
  sleepTemplateId: number,
  local: LocalTime,
): Promise<Hours | undefined> {
  const { rows } = await sql<Hours>`
    select to_char(t.sleep_start, 'HH24:MI') as "from", to_char(t.sleep_end, 'HH24:MI') as "until"
      from goods_templates t
     where t.id = ${sleepTemplateId} and t.removed_at is null
       and exists (
         select from goods g
          where g.template_id = t.id and g.removed_at is null
            and (not g.time_limited
              or ${local.day}::date + case when t.sleep_start > ${local.time}::time then 0 else 1 end
                 between g.time_start and g.time_end))`.execute(db)
  return rows[0]
}

/**
 * Takes one from the stock; two customers cannot take the last one. Without limit there is always one, and none is taken:
 * only what was taken may be put back.
 */
export async function takeFromStock(
  db: Database,
  goodsId: number,
): Promise<'taken' | 'withoutLimit' | 'soldOut'> {
  const { rows } = await sql<{ left: number }>`
    update goods set stock = case when stock < 0 then stock else stock - 1 end
     where id = ${goodsId} and stock <> 0 and removed_at is null returning stock as left`.execute(db)
  if (!rows[0]) return 'soldOut'
  return rows[0].left < 0 ? 'withoutLimit' : 'taken'
}

/** Locks goods of which the stock is to change, always in the same order, so that nobody waits for each other. */
export async function holdGoods(db: Database, goodsIds: readonly number[]): Promise<void> {
  await sql`select 1 from goods where id = any(${[...goodsIds]}::bigint[]) order by id for no key update`.execute(
    db,
  )
}

/** Puts one back of each that was taken and not sold after all; a stock without limit stays so. */
export async function returnToStock(db: Database, goodsIds: readonly number[]): Promise<void> {
  if (goodsIds.length === 0) return
  await holdGoods(db, goodsIds)
  await sql`
    update goods g set stock = stock + n.count
      from (select id, count(*)::integer as count from unnest(${[...goodsIds]}::bigint[]) as id group by id) n
     where g.id = n.id and g.stock >= 0`.execute(db)
}
