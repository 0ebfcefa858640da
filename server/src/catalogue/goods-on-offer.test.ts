import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type DatabasePool } from '../kit/database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { bannerShown } from './banner-shown.ts'
import { goodsOnOffer, sleepHoursAhead } from './goods-on-offer.ts'

let testDatabase: TestDatabase
let database: DatabasePool
let massage: number
let night: number
const merchantId = 2000

const idOf = async (text: string, values: unknown[]) =>
  (await database.pool.query<{ id: number }>(text, values)).rows[0]?.id ?? 0

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.url)
  await database.pool.query(
    `insert into organisations (id, parent_id, kind, path, name) values (${merchantId}, 1, 'merchant', '1.${merchantId}', 'spa')`,
  )
  massage = await idOf(
    `insert into goods_templates (merchant_id, name, work_mode) values ($1, 'day', 0) returning id`,
    [merchantId],
  )
  night = await idOf(
    `insert into goods_templates (merchant_id, name, work_mode, sleep_start, sleep_end)
     values ($1, 'night', 1, '22:00', '08:00') returning id`,
    [merchantId],
  )
  const add = `insert into goods (template_id, merchant_id, name, price_cents, duration_minutes, queue, time_limited, time_start, time_end, removed_at)
               values ($1, $2, $3, 100, 10, $4, $5, $6, $7, $8)`
  const rows: [number, string, number, string?, string?, boolean?][] = [
    [massage, 'first', 1],
    [massage, 'second', 1],
    [massage, 'top', 9],
    [massage, 'spring', 5, '2026-03-01', '2026-03-31'],
    [massage, 'gone', 8, undefined, undefined, true],
    [night, 'sleep', 0],
  ]
  for (const [template, name, queue, from, until, isRemoved] of rows) {
    await database.pool.query(add, [
      template,
      merchantId,
      name,
      queue,
      from !== undefined,
      from ?? null,
      until ?? null,
      isRemoved ? new Date() : null,
    ])
  }
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

const offered = async (day: string, time: string, sleepTemplateId: number | null = null) =>
  (await goodsOnOffer(database.db, { templateId: massage, sleepTemplateId }, { day, time })).map(
    ({ name }) => name,
  )

describe('what a chair offers', () => {
  it('comes with the highest queue first, then as it was added, without what was removed', async () => {
    expect(await offered('2026-05-01', '12:00')).toEqual(['top', 'first', 'second'])
  })

  it.each([
    ['2026-02-28', false],
    ['2026-03-01', true],
    ['2026-03-31', true],
    ['2026-04-01', false],
  ])('on %s includes what is limited to March: %s', async (day, isOffered) => {
    expect((await offered(day, '12:00')).includes('spring')).toBe(isOffered)
  })

  it.each([
    ['21:59', false],
    ['22:00', true],
    ['23:59', true],
    ['00:00', true],
    ['07:59', true],
    ['08:00', false],
  ])('at %s is the sleep template of 22:00 to 08:00: %s', async (time, isNight) => {
    const names = await offered('2026-05-01', time, night)
    expect(names).toEqual(isNight ? ['sleep'] : ['top', 'first', 'second'])
  })

  it('is the sleep template by day too, when its hours lie within a day', async () => {
    const { pool } = database
    await pool.query(`update goods_templates set sleep_start = '12:00', sleep_end = '14:00' where id = $1`, [
      night,
    ])
    expect(await offered('2026-05-01', '13:59', night)).toEqual(['sleep'])
    expect(await offered('2026-05-01', '14:00', night)).not.toContain('sleep')
    await pool.query(`update goods_templates set sleep_start = '22:00', sleep_end = '08:00' where id = $1`, [
      night,
    ])
  })
})

describe('what a chair will offer for the night', () => {
  const ahead = async (day: string, time: string) => sleepHoursAhead(database.db, night, { day, time })

  it('is told by its hours, unless there are no goods by then', async () => {
    const { pool } = database
    expect(await ahead('2026-05-01', '12:00')).toEqual({ from: '22:00', until: '08:00' })
    await pool.query(
      `update goods set time_limited = true, time_start = '2026-05-02', time_end = '2026-05-02' where template_id = $1`,
      [night],
    )
    expect(await ahead('2026-05-01', '12:00')).toBeUndefined()
    expect(await ahead('2026-05-02', '12:00')).toEqual({ from: '22:00', until: '08:00' })
    // By then the next night begins a day later.
    expect(await ahead('2026-05-02', '23:00')).toBeUndefined()
    await pool.query(`update goods set time_limited = false where template_id = $1`, [night])
  })
})

describe('the banner', () => {
  const set = (id: number, banner: object) =>
    database.pool.query(
      `insert into banners (merchant_id, enabled, banner_key, time_limited, time_banner_key, time_start, time_end, success_text)
       select $1, b.enabled, b.banner_key, b.time_limited, b.time_banner_key, b.time_start, b.time_end, b.success_text
         from jsonb_populate_record(null::banners, $2::jsonb) b
       on conflict (merchant_id) do update set enabled = excluded.enabled, banner_key = excluded.banner_key, time_limited = excluded.time_limited,
         time_banner_key = excluded.time_banner_key, time_start = excluded.time_start, time_end = excluded.time_end`,
      [id, JSON.stringify({ time_limited: false, time_banner_key: '', success_text: '', ...banner })],
    )

  it('is empty where there is none, then the default, then the merchant’s own', async () => {
    expect(await bannerShown(database.db, merchantId, '2026-05-01')).toMatchObject({
      pictureKey: '',
      frontLang: 3,
    })
    await set(1, { enabled: true, banner_key: 'default' })
    expect((await bannerShown(database.db, merchantId, '2026-05-01')).pictureKey).toBe('default')
    await set(merchantId, { enabled: true, banner_key: 'own', success_text: 'thanks' })
    expect(await bannerShown(database.db, merchantId, '2026-05-01')).toMatchObject({
      pictureKey: 'own',
      successText: 'thanks',
    })
    await set(merchantId, { enabled: false, banner_key: 'own' })
    expect(await bannerShown(database.db, merchantId, '2026-05-01')).toMatchObject({
      pictureKey: 'default',
      successText: 'thanks',
    })
  })

  it.each([
    ['2026-09-30', 'own'],
    ['2026-10-01', 'holiday'],
    ['2026-10-07', 'holiday'],
    ['2026-10-08', 'own'],
  ])('on %s is the %s one', async (day, key) => {
    await set(merchantId, {
      enabled: true,
      banner_key: 'own',
      time_limited: true,
      time_banner_key: 'holiday',
      time_start: '2026-10-01',
      time_end: '2026-10-07',
    })
    expect((await bannerShown(database.db, merchantId, day)).pictureKey).toBe(key)
  })
})
