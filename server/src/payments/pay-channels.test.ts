import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestPayments, type TestPayments } from '../testing/test-payments.ts'
import { createSecretBox, WrongKeyError } from '../kit/secrets.ts'
import { addPayChannel, channelForMerchant, createPayChannels, isRefundAllowed } from './pay-channels.ts'

let test: TestPayments
beforeEach(async () => {
  test = await startTestPayments()
})
afterEach(() => test.stop())

const change = (what: string) => test.pool.query(what)
const routed = async () => (await channelForMerchant(test.db, test.merchantId))?.id

/** What lists and the pay page say of it. */
async function canBePaid(): Promise<[boolean, boolean]> {
  const { rows } = await test.pool.query<{ alone: boolean; together: boolean }>(
    `select has_pay_channel($1) as alone, $1 not in (select merchants_without_pay_channel()) as together`,
    [test.merchantId],
  )
  return [rows[0]?.alone ?? false, rows[0]?.together ?? false]
}

describe('the route of a payment', () => {
  it('leads to a bound, unlocked channel of the merchant, else to the platform', async () => {
    expect(await routed()).toBe(test.channelId)
    const own = await addPayChannel(test.db, test.secrets, {
      organisationId: test.merchantId,
      name: 'wechatPay',
      settings: test.settings,
    })
    expect(await channelForMerchant(test.db, test.merchantId)).toEqual({
      id: own,
      name: 'wechatPay',
      account: test.settings.mchId,
      organisationId: test.merchantId,
    })
    await change(`update pay_channels set locked = true where id = ${own}`)
    expect(await routed()).toBe(test.channelId)
    await change(`update pay_channels set locked = false, bound = false where id = ${own}`)
    expect(await routed()).toBe(test.channelId)
    expect(await canBePaid()).toEqual([true, true])
  })

  it.each([
    ['without a channel', 'update pay_channels set locked = true'],
    ['through a provider we do not serve', `update pay_channels set name = 'aliPay'`],
    ['to a bank we do not serve', `insert into pay_routers (merchant_id, router) values (2000, 'ccbpay')`],
  ])('%s leads nowhere, and the merchant cannot sell', async (_, circumstances) => {
    await change(circumstances)
    expect(await routed()).toBeUndefined()
    expect(await canBePaid()).toEqual([false, false])
  })

  it('lets refunds be applied for unless it says otherwise', async () => {
    expect(await isRefundAllowed(test.db, test.merchantId)).toBe(true)
    await change(`insert into pay_routers (merchant_id, refund_allowed) values (2000, false)`)
    expect(await isRefundAllowed(test.db, test.merchantId)).toBe(false)
  })
})

describe('the settings of a channel', () => {
  it('are kept sealed', async () => {
    const { rows } = await test.pool.query<{ settings: Buffer }>('select settings from pay_channels')
    const text = rows[0]?.settings.toString('latin1')
    expect(text).not.toContain(test.settings.apiV3Key)
    expect(text).not.toContain('PRIVATE KEY')
    const opened = await createPayChannels(test.secrets).open(test.db, test.channelId)
    expect(opened?.settings).toEqual(test.settings)
  })

  it('do not open with another key', async () => {
    const channels = createPayChannels(createSecretBox('another key, just as long as the first'))
    await expect(channels.open(test.db, test.channelId)).rejects.toThrow(WrongKeyError)
  })

  it('are read again when they change', async () => {
    const channels = createPayChannels(test.secrets)
    const appIdNow = async () => (await channels.open(test.db, test.channelId))?.settings.appId
    expect(await appIdNow()).toBe(test.settings.appId)
    const changed = test.secrets.seal(JSON.stringify({ ...test.settings, appId: 'wx0000000000000002' }))
    await test.pool.query('update pay_channels set settings = $1', [changed])
    await expect.poll(appIdNow, { interval: 200 }).toBe('wx0000000000000002')
  })
})
