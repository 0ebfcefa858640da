import { createWechatMerchant } from '@chairside/sandbox/wechat/merchant'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestPayments, type NoticeToSend, type TestPayments } from '../testing/test-payments.ts'
import { untilBlocked } from '../testing/until-blocked.ts'
import { addPayChannel } from './pay-channels.ts'
import { createPaymentJobs } from './payment-jobs.ts'
import { preparePayment } from './prepare-payment.ts'

const orderId = 'KT261121031500000AAAA'

let test: TestPayments
let outTradeNo: string

beforeEach(async () => {
  test = await startTestPayments()
  outTradeNo = await test.place(orderId)
  await preparePayment(test.services, outTradeNo, 'chair 10 min')
})
afterEach(() => test.stop())

/** What WeChat tells of the payment once it is paid. */
const transaction = () => ({
  appid: test.settings.appId,
  mchid: test.settings.mchId,
  out_trade_no: outTradeNo,
  transaction_id: '4200000000000000000000000001',
  trade_state: 'SUCCESS',
  success_time: '2026-11-21T11:10:00+08:00',
  payer: { openid: 'oPayer' },
  amount: { total: 500, currency: 'CNY' },
})

describe('a notice of WeChat', () => {
  it('settles its payment, with the number WeChat knows it by', async () => {
    test.wechat.pay(outTradeNo)
    await expect.poll(test.outcomes).toEqual([{ kind: 'paid', about: outTradeNo, detail: 'notice' }])
    const { rows } = await test.pool.query('select * from payments where out_trade_no = $1', [outTradeNo])
    expect(rows[0]).toMatchObject({
      state: 'paid',
      transaction_id: test.wechat.orders.get(outTradeNo)?.transactionId,
      payer_id: 'oPayer',
    })
  })

  it('is answered only when it is committed', async () => {
    const blocker = await test.pool.connect()
    await blocker.query('begin')
    await blocker.query('select 1 from payments where out_trade_no = $1 for update', [outTradeNo])
    let status: number | undefined
    const answered = test.notify({ plain: transaction() }).then((answer) => (status = answer.status))
    await untilBlocked(test.pool)
    expect(status).toBeUndefined()
    await blocker.query('commit')
    blocker.release()
    await answered
    expect(status).toBe(204)
    expect(await test.stateOf(outTradeNo)).toBe('paid')
  })

  it('changes nothing when it comes again, at once or later', async () => {
    test.wechat.faults.noticeCopies = 5
    test.wechat.pay(outTradeNo)
    await expect.poll(async () => (await test.noticeOutcomes()).length).toBe(5)
    expect((await test.notify({ plain: { ...transaction() } })).status).toBe(204)
    expect((await test.noticeOutcomes()).toSorted()).toEqual([...Array(5).fill('repeated'), 'settled'])
    expect(await test.outcomes()).toHaveLength(1)
  })

  it('settles nothing twice when a query has told it before', async () => {
    test.wechat.faults.silentNotices = true
    test.wechat.pay(outTradeNo)
    await test.work()
    const transactionId = test.wechat.orders.get(outTradeNo)?.transactionId
    await test.notify({ plain: { ...transaction(), transaction_id: transactionId } })
    expect(await test.noticeOutcomes()).toEqual(['repeated'])
    expect(await test.outcomes()).toEqual([{ kind: 'paid', about: outTradeNo, detail: 'query' }])
  })
})

describe('a notice that is refused', () => {
  const flipped = (body: string) =>
    body.replace(/"ciphertext":"(.)/, (_, first) => `"ciphertext":"${first === 'A' ? 'B' : 'A'}`)
  const refused: [string, string, () => Partial<NoticeToSend>][] = [
    ['signed by a stranger', 'forged', () => ({ signedBy: createWechatMerchant().platformPrivateKeyPem })],
    ['altered on its way', 'forged', () => ({ alter: (body) => body.replace('EV-1', 'EV-2') })],
    ['with a bit of its content flipped', 'forged', () => ({ alter: flipped })],
    ['six minutes old', 'stale', () => ({ sentAtMs: Date.now() - 360_000 })],
    ['from six minutes ahead', 'stale', () => ({ sentAtMs: Date.now() + 360_000 })],
    ['without a signature', 'unsigned', () => ({ headers: { 'wechatpay-signature': '' } })],
    ['that only tries us', 'probe', () => ({ headers: { 'wechatpay-signature': 'WECHATPAY/SIGNTEST/x' } })],
    ['with a key nobody knows', 'unknownKey', () => ({ headers: { 'wechatpay-serial': 'PUB_KEY_ID_0' } })],
    ['sealed with another key', 'broken', () => ({ apiV3Key: 'another key of thirty two bytes.' })],
    ['to another merchant', 'foreign', () => ({ plain: { ...transaction(), mchid: '1900000002' } })],
    ['to another app', 'foreign', () => ({ plain: { ...transaction(), appid: 'wx0000000000000000' } })],
    ['of another amount', 'wrong amount', () => ({ plain: { ...transaction(), amount: { total: 1 } } })],
    [
      'of a payment nobody asked for',
      'unknown payment',
      () => ({ plain: { ...transaction(), out_trade_no: 'KT0' } }),
    ],
    ['of what is not paid yet', 'not paid', () => ({ plain: { ...transaction(), trade_state: 'NOTPAY' } })],
    ['of something else', 'notOurs', () => ({ eventType: 'COMPLAINT.CREATE' })],
  ]
  it.each(refused)('%s is kept as %s and settles nothing', async (_, reason, alteration) => {
    const answer = await test.notify({ plain: transaction(), ...alteration() })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ code: 'FAIL', message: reason })
    expect((await test.noticeOutcomes()).map((outcome) => outcome.replace('refused: ', ''))).toEqual([reason])
    expect(await test.outcomes()).toEqual([])
    expect(await test.stateOf(outTradeNo)).toBe('prepared')
  })

  it('to the channel of another merchant settles nothing, though WeChat signed it', async () => {
    const channelId = await addPayChannel(test.db, test.secrets, {
      organisationId: test.merchantId,
      name: 'wechatPay',
      settings: test.settings,
    })
    expect((await test.notify({ plain: transaction(), channelId })).status).toBe(400)
    expect(await test.noticeOutcomes()).toEqual(['unknown payment'])
    expect(await test.outcomes()).toEqual([])
  })

  it('to a channel that is not there finds nobody', async () => {
    const answers = await Promise.all(
      ['999999', '0', '-1', 'x', '1e3', '9'.repeat(40)].map((id) =>
        fetch(`${test.services.publicUrl}/notify/${id}`, { method: 'POST', body: '{}' }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404))
  })

  it('by its size is not read', async () => {
    const url = `${test.services.publicUrl}/notify/${test.channelId}`
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(413)
  })

  it('by the hundred fills no table', async () => {
    const forged = { plain: transaction(), headers: { 'wechatpay-signature': 'x' } }
    for (let round = 0; round < 7; round++)
      await Promise.all(Array.from({ length: 100 }, () => test.notify(forged)))
    expect(await test.noticeOutcomes()).toHaveLength(600)
  })
})

describe('a burst of notices', () => {
  it('is settled together, each payment once', async () => {
    const numbers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        test.place(`KT2611210315${String(index).padStart(5, '0')}AAAA`),
      ),
    )
    // The first wait for the database until all have come, so that the others come together.
    const blocker = await test.pool.connect()
    await blocker.query('begin; lock table told_batches')
    let came = 0
    const { channels } = test.services
    test.services.channels = { ...channels, open: (db, id) => (came++, channels.open(db, id)) }
    const answering = Promise.all(
      numbers.map((number, index) =>
        test.notify({ plain: { ...transaction(), out_trade_no: number, transaction_id: `42${index}` } }),
      ),
    )
    await expect.poll(() => came).toBe(numbers.length)
    await blocker.query('commit')
    blocker.release()
    const answers = await answering
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect((await test.outcomes()).map(({ about }) => about).toSorted()).toEqual(numbers.toSorted())
    const { rows } = await test.pool.query<{ batches: number }>(
      'select count(*) as batches from told_batches',
    )
    expect(rows[0]?.batches).toBeLessThan(20)
  })

  it('settles the others when one of them cannot be, and that one when it is told again', async () => {
    const others = await Promise.all([1, 2, 3].map((index) => test.place(`KT26112103160000${index}AAAA`)))
    await test.pool.query(
      `alter table told_outcomes add constraint no_such_order check (about <> '${outTradeNo}')`,
    )
    const send = (number: string) =>
      test.notify({ plain: { ...transaction(), out_trade_no: number, transaction_id: `42${number}` } })
    const [bad, ...good] = await Promise.all([outTradeNo, ...others].map(send))
    expect(good.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(bad?.status).toBe(500)
    expect(await test.stateOf(outTradeNo)).toBe('prepared')

    await test.pool.query('alter table told_outcomes drop constraint no_such_order')
    expect((await send(outTradeNo)).status).toBe(204)
    expect((await test.outcomes()).map(({ about }) => about).toSorted()).toEqual(
      [outTradeNo, ...others].toSorted(),
    )
  })
})

it('asks WeChat for a key it does not know yet', async () => {
  test.wechat.rotatePlatformKey()
  const sealed = test.secrets.seal(JSON.stringify({ ...test.settings, platformKeys: {} }))
  await test.pool.query('update pay_channels set settings = $1', [sealed])
  const url = `${test.services.publicUrl}/notify/${test.channelId}`
  await vi.waitFor(async () => {
    // The channel is read again after a moment.
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400)
    expect((await test.services.channels.open(test.db, test.channelId))?.settings.platformKeys).toEqual({})
  }, 30_000)
  expect((await test.notify({ plain: transaction() })).status).toBe(204)
})

describe('what is kept of notices', () => {
  it('is for good what a provider signed, and for a month what nobody did', async () => {
    const insert = `insert into payment_notices (received_at, notice_id, outcome, body_digest) values `
    await test.pool.query('delete from payment_notices')
    await test.pool.query(
      `${insert} (now() - interval '31 days', '', 'refused: signature', ''), (now() - interval '29 days', '', 'refused: signature', ''),
        (now() - interval '2 years', 'n1', 'refused: unknown refund', ''), (now() - interval '2 years', 'n2', 'settled', '')`,
    )
    const forget = createPaymentJobs(test.services).find(
      ({ kind }) => kind.name === 'payments:forget-strangers',
    )
    await forget?.work({ db: test.services.db, log: test.services.log }, {})
    const { rows } = await test.pool.query(
      'select notice_id as id, outcome from payment_notices order by received_at, id',
    )
    expect(rows).toHaveLength(3)
    expect(rows.at(-1)).toEqual({ id: '', outcome: 'refused: signature' })
  })
})
