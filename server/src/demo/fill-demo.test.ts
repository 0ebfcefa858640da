import { randomBytes } from 'node:crypto'
import { startWechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger, verifyLists } from '../app/verify/verify-ledger.ts'
import { openDatabase, sql } from '../kit/database.ts'
import { createDiskStore } from '../kit/object-store/disk-store.ts'
import { makeDataFolder } from '../testing/temporary-data.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createSecretBox } from '../kit/secrets.ts'
import { fillDemo } from './fill-demo.ts'
import { reachWechat } from './reach-wechat.ts'

let data: ReturnType<typeof makeDataFolder>
let made: TestDatabase
let demo: ReturnType<typeof openDatabase>
const secretKey = randomBytes(32).toString('base64')
beforeAll(async () => {
  data = makeDataFolder()
  made = await createTestDatabase()
  const wechat = await startWechatSandbox({ port: 0 })
  const size = { agents: 8, merchants: 12, devices: 60, membersPerMerchant: 2 }
  const pictures = createDiskStore(data.folder)
  await fillDemo({ databaseUrl: made.url, secretKey, pictures }, wechat, { size, orders: 200, days: 60 })
  await wechat.stop()
  demo = openDatabase(made.url, { maxConnections: 1 })
})
afterAll(async () => {
  await demo.close()
  await made.drop()
  data.remove()
})

describe('the demo as it is made', () => {
  it('counts its chairs by what they are, also those that are in trouble', async () => {
    const { rows } = await sql<{ inTrouble: number }>`
      select count(*) as "inTrouble" from devices where shown_status = 3`.execute(demo.db)
    expect(rows[0]?.inTrouble).toBeGreaterThan(0)
    const results = await verifyLists(demo.db)
    expect(results.filter(({ differing }) => differing > 0)).toEqual([])
  })

  it('has refunds with the phone of their orders', async () => {
    const { rows } = await sql<{ differing: number }>`
      select count(*) as differing from refunds r join orders o on o.order_id = r.order_id where r.phone <> o.phone`.execute(
      demo.db,
    )
    expect(rows[0]?.differing).toBe(0)
  })

  it('has a book that balances', async () => {
    const results = await verifyLedger(demo.db)
    expect(results.filter(({ differing }) => differing > 0)).toEqual([])
  })

  it('is paid at the played WeChat where that is now, also after it was started with other ports', async () => {
    const wechat = await startWechatSandbox({ port: 0 })
    await reachWechat({ databaseUrl: made.url, secretKey }, wechat)
    await wechat.stop()
    const { rows } = await sql<{ settings: Buffer }>`select settings from pay_channels`.execute(demo.db)
    expect(rows.map(({ settings }) => JSON.parse(createSecretBox(secretKey).open(settings)).baseUrl)).toEqual(
      [wechat.url],
    )
  })
})
