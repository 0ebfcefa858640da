import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestPayments, type TestPayments } from '../testing/test-payments.ts'
import type { PaymentAdapter } from './adapters/payment-adapter.ts'
import { closePayment } from './payment-queries.ts'
import type { PaymentServices } from './payment-services.ts'
import { findPayment } from './payments-sql.ts'
import { preparePayment } from './prepare-payment.ts'

const orderId = 'KT261121031500000AAAA'
const words = 'chair 10 min'

let test: TestPayments
let outTradeNo: string

beforeEach(async () => {
  test = await startTestPayments()
  outTradeNo = await test.place(orderId)
})
afterEach(() => test.stop())

const prepare = (description = words) => preparePayment(test.services, outTradeNo, description)

async function close() {
  const payment = await findPayment(test.db, outTradeNo)
  return payment && closePayment(test.services, payment, new Date())
}

/** The played WeChat has closed the order, but a payment was on its way. */
function payAfterClose(): void {
  const order = test.wechat.orders.get(outTradeNo)
  if (order) order.state = 'NOTPAY'
  test.wechat.pay(outTradeNo)
}

describe('preparing', () => {
  it('numbers the attempts of an order', async () => {
    expect(outTradeNo).toBe(`${orderId}01`)
    expect(await test.place(orderId)).toBe(`${orderId}02`)
  })

  it('gives a page inside WeChat what it pays with, the same again when asked again', async () => {
    const prepared = await prepare()
    const prepayId = test.wechat.orders.get(outTradeNo)?.prepayId
    expect(prepared).toMatchObject({
      outcome: 'accepted',
      result: { kind: 'jsapi', parameters: { appId: test.settings.appId, package: `prepay_id=${prepayId}` } },
    })
    expect(await prepare()).toEqual(prepared)
  })

  it('gives any other page a code to scan', async () => {
    const number = await test.place('KT261121031500000BBBB', { trade: 'native' })
    expect(await preparePayment(test.services, number, words)).toMatchObject({
      outcome: 'accepted',
      result: { kind: 'native', codeUrl: expect.stringContaining('/sandbox/wechat/pay/') },
    })
  })

  it('leaves open what WeChat was silent about, and is taken up with the same number and words', async () => {
    test.wechat.faults.loseAnswers = true
    expect(await prepare()).toMatchObject({ outcome: 'unknown' })
    expect(await test.stateOf(outTradeNo)).toBe('preparing')
    test.wechat.faults.loseAnswers = false
    expect(await prepare('other words')).toMatchObject({ outcome: 'accepted' })
    expect(test.wechat.orders.get(outTradeNo)?.description).toBe(words)
  })

  it('does not believe an answer that was altered', async () => {
    test.wechat.faults.forgedAnswers = true
    expect(await prepare()).toMatchObject({ outcome: 'unknown' })
  })

  it('learns of a number that is used up that it was paid', async () => {
    Object.assign(test.wechat.faults, { loseAnswers: true, silentNotices: true })
    await prepare()
    test.wechat.faults.loseAnswers = false
    test.wechat.pay(outTradeNo)
    expect(await prepare()).toEqual({ outcome: 'paid' })
    expect(await test.outcomes()).toEqual([{ kind: 'paid', about: outTradeNo, detail: 'query' }])
  })

  it('ends what WeChat refuses, and says so once', async () => {
    await test.pool.query('update payments set payer_id = null')
    expect(await prepare()).toMatchObject({ outcome: 'refused', code: 'PARAM_ERROR' })
    expect(await prepare()).toMatchObject({ outcome: 'refused', code: 'ENDED' })
    expect(await test.stateOf(outTradeNo)).toBe('refused')
    expect(await test.outcomes()).toEqual([{ kind: 'closed', about: outTradeNo, detail: '' }])
  })

  it('hands out nothing to pay with for what was given up meanwhile', async () => {
    const { channels } = test.services
    const slow: PaymentServices['channels'] = {
      async open(db, channelId) {
        const channel = await channels.open(db, channelId)
        const prepareThenGiveUp: PaymentAdapter['prepare'] = async (request) => {
          const prepared = await channel?.adapter.prepare(request)
          await test.pool.query(`update payments set state = 'closed'`)
          return prepared ?? { outcome: 'unknown', reason: 'no channel' }
        }
        return channel && { ...channel, adapter: { ...channel.adapter, prepare: prepareThenGiveUp } }
      },
    }
    expect(await preparePayment({ ...test.services, channels: slow }, outTradeNo, words)).toMatchObject({
      outcome: 'refused',
      code: 'ENDED',
    })
  })
})

describe('while our clock is behind that of the database', () => {
  beforeEach(async () => {
    await prepare()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 120_000 })
  })
  afterEach(() => void vi.useRealTimers())

  it('a payment is closed when its time is over, and looked after in the same pauses', async () => {
    await test.work()
    expect((await test.waiting())[0]?.seconds).toBeCloseTo(3, 0)
    await test.expire(outTradeNo)
    await test.work()
    expect(await test.stateOf(outTradeNo)).toBe('closed')
    const looks = (await test.waiting()).filter(({ task }) => task === 'payments:ask-after-end')
    expect(looks[0]?.seconds).toBeCloseTo(10, 0)
  })
})

describe('while WeChat refuses our key', () => {
  /** WeChat knows our certificate no more. */
  const breakKey = () => void (test.wechat.merchant.certSerialNumber = 'A NEWER CERTIFICATE')
  const mendKey = () => void (test.wechat.merchant.certSerialNumber = test.settings.certSerialNumber)
  afterEach(mendKey)

  it('a payment ends at once that WeChat never took: nobody can have paid it', async () => {
    breakKey()
    expect(await prepare()).toMatchObject({ outcome: 'refused', code: 'SIGN_ERROR' })
    expect(await test.stateOf(outTradeNo)).toBe('refused')
    expect(await test.outcomes()).toEqual([{ kind: 'closed', about: outTradeNo, detail: '' }])
  })

  it('a payment ends when its time is over that nobody got to have prepared', async () => {
    breakKey()
    await test.work()
    expect(await test.stateOf(outTradeNo)).toBe('preparing')
    await test.expire(outTradeNo)
    await test.work()
    expect(await test.stateOf(outTradeNo)).toBe('refused')
  })

  it.each(['loseAnswers', 'nothing'] as const)(
    'a payment stays open that WeChat may have taken before (%s)',
    async (fault) => {
      if (fault !== 'nothing') test.wechat.faults[fault] = true
      await prepare()
      test.wechat.faults.loseAnswers = false
      breakKey()
      if (fault !== 'nothing') expect(await prepare()).toMatchObject({ outcome: 'unknown' })
      await test.expire(outTradeNo)
      await test.work()
      expect(await test.outcomes()).toEqual([])
      mendKey()
      test.wechat.pay(outTradeNo)
      await expect.poll(async () => (await test.outcomes()).map(({ kind }) => kind)).toEqual(['paid'])
    },
  )

  it('a payment stays open that a program without these counts had prepared meanwhile', async () => {
    await prepare()
    await test.pool.query('update payments set times_asked = 0, expires_at = now()')
    breakKey()
    await test.work()
    expect(await test.stateOf(outTradeNo)).toBe('prepared')
  })

  it('looks after the end come in pauses that double up to an hour, and have an end', async () => {
    breakKey()
    await prepare()
    const pauses: number[] = []
    for (let look = 0; look < 4; look++) {
      pauses.push(Math.round((await test.waiting())[0]?.seconds ?? 0))
      await test.work()
    }
    expect(pauses).toEqual([10, 20, 40, 80])
    const looksBefore = (count: number) =>
      test.pool.query(
        `update graphile_worker._private_jobs set payload = jsonb_set(payload::jsonb, '{unanswered}', $1)::json`,
        [String(count)],
      )
    await looksBefore(79)
    await test.work()
    expect((await test.waiting()).map(({ seconds }) => Math.round(seconds))).toEqual([3600])
    await test.work()
    expect(await test.waiting()).toEqual([])
  })
})

describe('an unpaid payment', () => {
  beforeEach(async () => {
    await prepare()
  })

  it('is closed at WeChat when its time is over, and told once', async () => {
    await test.expire(outTradeNo)
    await test.work()
    expect(test.wechat.orders.get(outTradeNo)?.state).toBe('CLOSED')
    expect(await test.stateOf(outTradeNo)).toBe('closed')
    // What still asks for it finds nothing to do, whenever its time comes.
    await expect.poll(async () => (await test.work(), test.waiting())).toEqual([])
    expect(await test.outcomes()).toEqual([{ kind: 'closed', about: outTradeNo, detail: '' }])
  })

  it('that was never made at WeChat is given up when its time is over, not before', async () => {
    const unknown = await test.place('KT261121031500000BBBB')
    await test.work()
    expect(await test.stateOf(unknown)).toBe('preparing')
    await test.expire(unknown)
    await test.work()
    expect(await test.stateOf(unknown)).toBe('closed')
  })

  it('is paid and not closed when the customer pays in the last moment', async () => {
    test.wechat.faults.silentNotices = true
    test.wechat.pay(outTradeNo)
    await test.expire(outTradeNo)
    await test.work()
    expect(await test.outcomes()).toEqual([{ kind: 'paid', about: outTradeNo, detail: 'query' }])
  })

  it('can be given up by the customer, unless it is paid', async () => {
    expect(await close()).toBe('closed')
    outTradeNo = await test.place('KT261121031500000BBBB')
    await prepare()
    test.wechat.faults.silentNotices = true
    test.wechat.pay(outTradeNo)
    expect(await close()).toBe('paid')
    expect((await test.outcomes()).map(({ kind }) => kind)).toEqual(['closed', 'paid'])
  })

  it('is not given up on the silence of WeChat', async () => {
    test.wechat.faults.systemError = true
    expect(await close()).toBe('unknown')
    expect(await test.stateOf(outTradeNo)).toBe('prepared')
  })
})

describe('a payment that comes after the close', () => {
  beforeEach(async () => {
    await prepare()
    await close()
  })
  const late = () => [
    { kind: 'closed', about: outTradeNo, detail: '' },
    { kind: 'paid', about: outTradeNo, detail: 'notice' },
  ]

  it('is handed on by its notice', async () => {
    payAfterClose()
    await expect.poll(test.outcomes).toEqual(late())
  })

  it('is found without a notice, even when WeChat is silent for a while', async () => {
    test.wechat.faults.silentNotices = true
    payAfterClose()
    test.wechat.faults.systemError = true
    for (let round = 0; round < 5; round++) await test.work()
    expect((await test.waiting()).map(({ task }) => task)).toEqual(['payments:ask-after-end'])
    test.wechat.faults.systemError = false
    await test.work()
    expect((await test.outcomes()).map(({ kind }) => kind)).toEqual(['closed', 'paid'])
    expect(await test.waiting()).toEqual([])
  })
})
