import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOrderSteps } from '../testing/order-steps.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'
import { prepareDatabase } from './prepare-database.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startTestShop()
})
afterAll(() => shop.stop())

it('is refused when the database has other days by that name', async () => {
  const start = (timeZone: string) =>
    prepareDatabase(shop.db, { timeZone, keyFingerprint: shop.secrets.fingerprint })
  for (const timeZone of ['+08:00', 'CET'])
    await expect(start(timeZone)).rejects.toThrow(/other days than this program\. Name a place/)
  await start('PRC')
  await start('Asia/Shanghai')
})

it('is chosen with the first order and stays: the days of what was earned are kept by it', async () => {
  const keyFingerprint = shop.secrets.fingerprint
  const start = (timeZone: string) => prepareDatabase(shop.db, { timeZone, keyFingerprint })
  await start('Europe/Berlin')
  await start('Asia/Shanghai')
  const tokens = { merchant: await shop.signIn('spa'), admin: await shop.signIn('admin') }
  await createOrderSteps(shop, tokens).placed()
  await start('Asia/Shanghai')
  await expect(start('Europe/Berlin')).rejects.toThrow(/Start with TIME_ZONE=Asia\/Shanghai/)
})
