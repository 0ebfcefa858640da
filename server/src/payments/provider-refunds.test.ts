import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { inTransaction } from '../kit/database.ts'
import { startTestPayments, type TestPayments } from '../testing/test-payments.ts'
import { preparePayment } from './prepare-payment.ts'
import { requestProviderRefund } from './provider-refunds.ts'

const orderId = 'KT261121031500000AAAA'
const outRefundNo = `TK${orderId}R7`

let test: TestPayments
let outTradeNo: string

beforeEach(async () => {
  test = await startTestPayments()
  outTradeNo = await pay()
})
afterEach(() => test.stop())

async function pay(): Promise<string> {
  const number = await test.place(orderId)
  await preparePayment(test.services, number, 'chair 10 min')
  test.wechat.pay(number)
  await expect.poll(() => test.stateOf(number)).toBe('paid')
  await test.pool.query('delete from told_outcomes')
  return number
}

const request = (options: { amountCents?: number; reference?: string; outTradeNo?: string } = {}) =>
  inTransaction(test.db, (trx) =>
    requestProviderRefund(trx, {
      orderId,
      merchantId: test.merchantId,
      refundId: 7,
      reason: 'no start',
      amountCents: 200,
      reference: 'R7',
      ...options,
    }),
  )

const refundState = async (number = outRefundNo) =>
  (await test.pool.query('select state from provider_refunds where out_refund_no = $1', [number])).rows[0]
    ?.state

const refunded = () => ({ kind: 'refunded', about: outRefundNo, detail: '' })

describe('a refund through WeChat', () => {
  it('goes out with the reason and a part of the amount, and ends by a notice, once', async () => {
    expect(await request()).toBe(true)
    await test.work()
    await expect.poll(test.outcomes).toEqual([refunded()])
    expect(test.wechat.refunds.get(outRefundNo)).toMatchObject({ refundCents: 200, status: 'SUCCESS' })
    expect(test.wechat.refunds.get(outRefundNo)?.asked).toContain('"reason":"no start"')
    await test.work()
    expect(await test.outcomes()).toHaveLength(1)
    expect(await test.waiting()).toEqual([])
  })

  it('ends by our own query when no notice comes', async () => {
    Object.assign(test.wechat.faults, { silentNotices: true, holdRefunds: true })
    await request()
    await test.work()
    expect(await refundState()).toBe('accepted')
    await test.work()
    expect(await test.outcomes()).toEqual([])
    test.wechat.releaseRefunds()
    await test.work()
    await test.work()
    expect(await test.outcomes()).toEqual([refunded()])
  })

  it('is not sent twice when the answer to it was lost', async () => {
    Object.assign(test.wechat.faults, { silentNotices: true, loseAnswers: true })
    await request()
    await test.work()
    expect(await refundState()).toBe('wanted')
    test.wechat.faults.loseAnswers = false
    await test.work()
    await expect.poll(() => test.wechat.refunds.get(outRefundNo)?.status).toBe('SUCCESS')
    await test.work()
    expect(test.wechat.refunds.size).toBe(1)
    expect(await test.outcomes()).toEqual([refunded()])
  })

  it('is sent again with the same number when WeChat did not take it', async () => {
    test.wechat.faults.systemError = true
    await request()
    await test.work()
    await test.work()
    expect([await refundState(), test.wechat.refunds.size]).toEqual(['wanted', 0])
    test.wechat.faults.systemError = false
    await test.work()
    await expect.poll(test.outcomes).toEqual([refunded()])
  })

  it('fails with the word of WeChat when it is refused', async () => {
    test.wechat.faults.refuseRefunds = 'USER_ACCOUNT_ABNORMAL'
    await request()
    await test.work()
    const [failed] = await test.outcomes()
    expect(failed).toMatchObject({ kind: 'refund failed', about: outRefundNo })
    expect(failed?.detail).toContain('USER_ACCOUNT_ABNORMAL')
    expect(await test.waiting()).toEqual([])
    expect(await refundState()).toBe('failed')
  })

  it.each(['NOT_ENOUGH', 'NOTENOUGH', 'SIGN_ERROR'])(
    'waits after %s, says so once, and goes with the same number as soon as it can',
    async (code) => {
      test.wechat.faults.refuseRefunds = code
      await request()
      for (let time = 0; time < 3; time++) await test.work()
      const [waits, ...more] = await test.outcomes()
      expect(waits).toMatchObject({ kind: 'refund waits', about: outRefundNo })
      expect(waits?.detail).toContain(code.slice(-6))
      expect(more).toEqual([])
      expect(await refundState()).toBe('wanted')
      expect(await test.waiting()).toMatchObject([{ task: 'payments:pursue-refund', about: outRefundNo }])
      test.wechat.faults.refuseRefunds = ''
      await test.work()
      await expect.poll(async () => (await test.outcomes()).slice(1)).toEqual([refunded()])
      expect([...test.wechat.refunds.keys()]).toEqual([outRefundNo])
    },
  )

  it('that waits is asked for again in growing pauses, for three days, and then fails', async () => {
    test.wechat.faults.refuseRefunds = 'NOT_ENOUGH'
    await request()
    const pauses: number[] = []
    for (let time = 0; time < 8; time++) {
      await test.work()
      pauses.push(Math.round((await test.waiting())[0]?.seconds ?? 0))
    }
    expect(pauses).toEqual([3, 10, 30, 60, 300, 900, 3600, 3600])
    await test.pool.query(`update provider_refunds set waits_since = waits_since - interval '71 hours'`)
    await test.work()
    expect(await refundState()).toBe('wanted')
    await test.pool.query(`update provider_refunds set waits_since = waits_since - interval '1 hour'`)
    await test.work()
    expect((await test.outcomes()).map(({ kind }) => kind)).toEqual(['refund waits', 'refund failed'])
    expect([await refundState(), await test.waiting()]).toEqual(['failed', []])
  })

  it('is asked for again in the same pauses while our clock is behind that of the database', async () => {
    test.wechat.faults.refuseRefunds = 'NOT_ENOUGH'
    await request()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 120_000 })
    onTestFinished(() => void vi.useRealTimers())
    await test.work()
    expect((await test.waiting())[0]?.seconds).toBeCloseTo(3, 0)
  })

  it('is of the moment that WeChat paid it, however late we learn of it', async () => {
    await request()
    await test.pool.query(`update provider_refunds set created_at = '2026-11-20T15:00:00Z'`)
    const told = {
      mchid: test.settings.mchId,
      out_trade_no: outTradeNo,
      out_refund_no: outRefundNo,
      refund_id: '50000000000000000000000000001',
      refund_status: 'SUCCESS',
      success_time: '2026-11-20T23:59:58+08:00',
      amount: { total: 500, refund: 200 },
    }
    await test.notify({ eventType: 'REFUND.SUCCESS', plain: told })
    const { rows } = await test.pool.query('select settled_at from provider_refunds')
    expect(rows).toEqual([{ settled_at: new Date('2026-11-20T15:59:58Z') }])
  })

  it('that fails under way may still succeed, and each is told once', async () => {
    test.wechat.faults.refundEnd = 'ABNORMAL'
    await request()
    await test.work()
    await expect.poll(async () => (await test.outcomes()).length).toBe(1)
    test.wechat.faults.refundEnd = 'SUCCESS'
    const told = {
      mchid: test.settings.mchId,
      out_trade_no: outTradeNo,
      out_refund_no: outRefundNo,
      refund_id: '50000000000000000000000000001',
      refund_status: 'SUCCESS',
      amount: { total: 500, refund: 200 },
    }
    for (let copy = 0; copy < 2; copy++)
      expect((await test.notify({ eventType: 'REFUND.SUCCESS', plain: told })).status).toBe(204)
    expect(await test.outcomes()).toEqual([
      { kind: 'refund failed', about: outRefundNo, detail: 'ABNORMAL' },
      refunded(),
    ])
  })

  it('settles once when a process ends in the middle', async () => {
    Object.assign(test.wechat.faults, { silentNotices: true })
    await request()
    const dying = {
      ...test.services,
      outcomes: {
        ...test.services.outcomes,
        settleRefund: () => Promise.reject(new Error('the process ends here')),
      },
    }
    await test.work(dying)
    await expect.poll(() => test.wechat.refunds.get(outRefundNo)?.status).toBe('SUCCESS')
    await test.work(dying)
    expect(await refundState()).toBe('accepted')
    await test.work()
    await test.work()
    expect(test.wechat.refunds.size).toBe(1)
    expect(await test.outcomes()).toEqual([refunded()])
  })

  it.each([
    ['was lost', 'delete from graphile_worker._private_jobs'],
    ['failed too often', `update graphile_worker._private_jobs set attempts = max_attempts`],
  ])('is asked after anew when its job %s', async (_, circumstances) => {
    await request()
    await test.pool.query(circumstances)
    await test.pool.query(`update provider_refunds set created_at = now() - interval '1 minute'`)
    await test.pool.query(`select graphile_worker.add_job('payments:find-forgotten')`)
    await test.work()
    await expect.poll(test.outcomes).toEqual([refunded()])
  })
})

describe('a refund while WeChat refuses our key', () => {
  /** WeChat knows our certificate no more. */
  const breakKey = () => void (test.wechat.merchant.certSerialNumber = 'A NEWER CERTIFICATE')
  const mendKey = () => void (test.wechat.merchant.certSerialNumber = test.settings.certSerialNumber)
  afterEach(mendKey)
  const threeDaysPass = () =>
    test.pool.query(`update provider_refunds set waits_since = waits_since - interval '3 days'`)
  const kinds = async () => (await test.outcomes()).map(({ kind }) => kind)

  /** Sent, and not answered: it may have gone. */
  async function sentInSilence(fault: 'loseRequests' | 'loseAnswers') {
    Object.assign(test.wechat.faults, { silentNotices: true, [fault]: true })
    await request()
    await test.work()
    test.wechat.faults[fault] = false
  }

  it('waits, says so once, and fails after three days, since nothing can have gone', async () => {
    breakKey()
    await request()
    for (let time = 0; time < 3; time++) await test.work()
    expect(await test.outcomes()).toEqual([
      { kind: 'refund waits', about: outRefundNo, detail: expect.stringContaining('SIGN_ERROR') },
    ])
    await threeDaysPass()
    await test.work()
    expect(await kinds()).toEqual(['refund waits', 'refund failed'])
    expect([await refundState(), await test.waiting()]).toEqual(['failed', []])
  })

  it('waits and goes when the key is put right', async () => {
    breakKey()
    await request()
    for (let time = 0; time < 2; time++) await test.work()
    mendKey()
    await test.work()
    await expect.poll(kinds).toEqual(['refund waits', 'refunded'])
  })

  it('that was accepted before says that it waits, and counts the days from then', async () => {
    test.wechat.faults.holdRefunds = true
    await request()
    await test.work()
    for (let time = 0; time < 2; time++) {
      breakKey()
      await test.work()
      await threeDaysPass()
      mendKey()
      await test.work()
    }
    expect(await kinds()).toEqual(['refund waits', 'refund waits'])
    expect(await refundState()).toBe('accepted')
  })

  it('is given up once when it may have gone, and still told as refunded when it has', async () => {
    await sentInSilence('loseAnswers')
    breakKey()
    await test.work()
    await threeDaysPass()
    for (let time = 0; time < 2; time++) await test.work()
    expect(await kinds()).toEqual(['refund waits', 'refund given up'])
    expect(await request({ amountCents: 301, reference: 'R8' }).catch(() => 'too much')).toBe('too much')
    mendKey()
    await test.work()
    expect(await kinds()).toEqual(['refund waits', 'refund given up', 'refunded'])
    await test.work()
    expect([test.wechat.refunds.size, await test.waiting()]).toEqual([1, []])
  })

  it('that was given up is never sent again: it has failed when WeChat does not know it', async () => {
    await sentInSilence('loseRequests')
    breakKey()
    await test.work()
    await threeDaysPass()
    await test.work()
    mendKey()
    await test.work()
    expect(await kinds()).toEqual(['refund waits', 'refund given up', 'refund failed'])
    await test.work()
    expect([test.wechat.refunds.size, await test.waiting()]).toEqual([0, []])
  })
})

describe('asking for a refund', () => {
  it('again is the same refund', async () => {
    await request()
    expect(await request()).toBe(true)
    await test.work()
    expect([...test.wechat.refunds.keys()]).toEqual([outRefundNo])
  })

  it('never gives back more than was paid, even at the same moment', async () => {
    const asked = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => request({ reference: `R${index}` })),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await expect(request({ reference: 'R9', amountCents: 101 })).rejects.toThrow('more than was paid')
    expect(await request({ reference: 'R9', amountCents: 100 })).toBe(true)
  })

  it('leaves what failed to be given back another way', async () => {
    test.wechat.faults.refuseRefunds = 'USER_ACCOUNT_ABNORMAL'
    await request({ amountCents: 500 })
    await test.work()
    expect(await request({ amountCents: 500, reference: 'R8' })).toBe(true)
  })

  it('of an order that nobody paid through a provider says so', async () => {
    await test.pool.query(`update payments set state = 'closed'`)
    expect(await request()).toBe(false)
  })

  it('takes the payment that still has the money, or the one it is told', async () => {
    const second = await pay()
    expect(await request({ outTradeNo, amountCents: 500, reference: 'A' })).toBe(true)
    expect(await request({ amountCents: 500 })).toBe(true)
    await test.work()
    const from = [...test.wechat.refunds.values()].map((refund) => [refund.outRefundNo, refund.outTradeNo])
    expect(from.toSorted()).toEqual(
      [
        [`TK${outTradeNo}A`, outTradeNo],
        [outRefundNo, second],
      ].toSorted(),
    )
  })
})

describe('a refund notice', () => {
  const told = (changes: object) => ({
    mchid: test.settings.mchId,
    out_trade_no: outTradeNo,
    out_refund_no: outRefundNo,
    refund_id: '50000000000000000000000000001',
    refund_status: 'SUCCESS',
    amount: { total: 500, refund: 200 },
    ...changes,
  })

  it.each<[string, string, object]>([
    ['a refund nobody asked for', 'unknown refund', { out_refund_no: 'TK0' }],
    ['another amount', 'wrong amount', { amount: { total: 500, refund: 1 } }],
    ['another merchant', 'foreign', { mchid: '1900000002' }],
  ])('of %s is refused and settles nothing', async (_, reason, changes) => {
    await request()
    const answer = await test.notify({ eventType: 'REFUND.SUCCESS', plain: told(changes) })
    expect(answer.status).toBe(400)
    expect((await test.noticeOutcomes()).at(-1)).toBe(`refused: ${reason}`)
    expect(await refundState()).toBe('wanted')
    expect(await test.outcomes()).toEqual([])
  })
})
