import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createMerchantCalls, orderPath, outTradeNo } from './merchant-calls.ts'
import { startWechatSandbox, type WechatSandbox } from './wechat-sandbox.ts'

/* What the played WeChat keeps: over a restart, on a full disk, and when it becomes too much. */

let wechat: WechatSandbox
afterEach(() => wechat.stop())
const { send, place, refund } = createMerchantCalls(() => wechat)

it('goes on while its book cannot be written, and writes it when it can', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'played-wechat-'))
  const dataFile = path.join(folder, 'wechat.json')
  wechat = await startWechatSandbox({ port: 0, dataFile })
  fs.mkdirSync(`${dataFile}.part`)
  wechat.addMerchant('1900000999', 'wx0000000000000999')
  await new Promise((resolve) => setTimeout(resolve, 800))
  fs.rmdirSync(`${dataFile}.part`)
  await expect.poll(() => fs.readFileSync(dataFile, 'utf8')).toContain('1900000999')
  await wechat.stop()
  fs.rmSync(folder, { recursive: true })
  wechat = await startWechatSandbox({ port: 0 })
})

it('goes on after a restart with its merchants, keys, orders and refunds under way', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'played-wechat-'))
  const dataFile = path.join(folder, 'wechat.json')
  wechat = await startWechatSandbox({ port: 0, dataFile, refundMs: 5 })
  const merchant = { ...wechat.merchant }
  await place()
  wechat.pay(outTradeNo)
  wechat.faults.holdRefunds = true
  await refund()
  await wechat.stop()

  wechat = await startWechatSandbox({ port: 0, dataFile, refundMs: 5 })
  expect(wechat.merchant).toEqual(merchant)
  await expect.poll(() => wechat.refunds.get('TK1')?.status).toBe('SUCCESS')
  const query = await send('GET', `${orderPath}?mchid=${merchant.mchId}`)
  expect(query).toMatchObject({ status: 200, json: { trade_state: 'REFUND', out_trade_no: outTradeNo } })
  await wechat.stop()
  for (const spoilt of ['{"merchants":', '{"orders":[]}']) {
    fs.writeFileSync(dataFile, spoilt)
    await expect(startWechatSandbox({ port: 0, dataFile })).rejects.toThrow('cannot read')
  }
  fs.rmSync(folder, { recursive: true })
  wechat = await startWechatSandbox({ port: 0 })
})

it('forgets the oldest of what is over, and nothing that is under way, when it knows too many orders', async () => {
  wechat = await startWechatSandbox({ port: 0, timeFactor: 1000, refundMs: 5, mostOrders: 20 })
  const numberOf = (index: number) => `KT2611210315${String(index).padStart(3, '0')}`
  const placeOne = (index: number) => place({ out_trade_no: numberOf(index) })
  const refundOne = (index: number, cents: number) =>
    refund({
      out_trade_no: numberOf(index),
      out_refund_no: `TK${index}`,
      amount: { refund: cents, total: 500, currency: 'CNY' },
    })
  for (let index = 0; index < 20; index++) {
    await placeOne(index)
    // The first waits to be paid, the third waits for its refund, the fifth has got all of its money back.
    if (index > 0) wechat.pay(numberOf(index))
    if (index === 2) wechat.faults.holdRefunds = true
    if (index === 2 || index === 4) await refundOne(index, 500)
    if (index === 2) wechat.faults.holdRefunds = false
  }
  await expect.poll(() => wechat.refunds.get('TK4')?.status).toBe('SUCCESS')
  await placeOne(20)
  const forgotten = [4, 1, 3].map(numberOf)
  expect([...wechat.orders.keys()]).toEqual(
    Array.from({ length: 21 }, (_one, index) => numberOf(index)).filter(
      (number) => !forgotten.includes(number),
    ),
  )
  expect([...wechat.refunds.keys()]).toEqual(['TK2'])
  expect(await refundOne(3, 100)).toMatchObject({ status: 404, json: { code: 'RESOURCE_NOT_EXISTS' } })
  for (let index = 21; index < 80; index++) {
    await placeOne(index)
    wechat.pay(numberOf(index))
  }
  expect(wechat.orders.size).toBeLessThanOrEqual(20)
  expect(wechat.orders.has(numberOf(0))).toBe(true)
  expect(wechat.refunds.get('TK2')?.status).toBe('PROCESSING')
  wechat.releaseRefunds()
  expect(wechat.refunds.get('TK2')?.status).toBe('SUCCESS')
})
