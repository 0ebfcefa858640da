import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addJob, handleJob, jobKind, startJobs } from '../kit/jobs.ts'
import { startTestPayments, type TestPayments } from '../testing/test-payments.ts'
import { createPaymentJobs, paymentCrontab } from './payment-jobs.ts'
import type { PaymentServices } from './payment-services.ts'
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

describe('our own queries', () => {
  beforeEach(async () => {
    await prepare()
    test.wechat.faults.silentNotices = true
  })

  it('settle what no notice told of', async () => {
    test.wechat.pay(outTradeNo)
    await test.work()
    expect(await test.outcomes()).toEqual([{ kind: 'paid', about: outTradeNo, detail: 'query' }])
    expect(await test.stateOf(outTradeNo)).toBe('paid')
    // The look that was planned ahead finds it paid, and plans no other.
    await expect
      .poll(async () => {
        await test.work()
        return test.waiting()
      })
      .toEqual([])
    expect(await test.outcomes()).toHaveLength(1)
  })

  it('come after 2, 5, 10 and 30 s and then in growing pauses, until the time is over', async () => {
    const pauses: number[] = []
    for (let query = 0; query < 8; query++) {
      const [job] = await test.waiting()
      pauses.push(job?.seconds ?? 0)
      await test.work()
    }
    // Each after the one before; the clock of this test stands still, so that the end at 300 s cuts nothing.
    const isNearly = (seconds: number) =>
      // On a busy machine some of a second passes between what two clocks say.
      expect.toSatisfy((pause: number) => Math.abs(pause - seconds) < 1)
    expect(pauses).toEqual([2, 3, 5, 20, 30, 60, 120, 60].map(isNearly))
    await test.pool.query(`update payments set expires_at = now() + interval '40 seconds'`)
    await test.work()
    const last = (await test.waiting())[0]?.seconds
    expect(last).toBeGreaterThan(10)
    expect(last).toBeLessThanOrEqual(40)
  })

  it.each([
    [0, 120],
    [240, 240],
    [86_400, 3600],
  ])('that are not answered %i s after a long time to pay come again after %i s', async (since, pause) => {
    test.wechat.faults.systemError = true
    await test.pool.query(
      'update payments set queries = 12, expires_at = now() - make_interval(secs => $1)',
      [since],
    )
    await test.work()
    const seconds = (await test.waiting())[0]?.seconds ?? 0
    expect(seconds).toBeGreaterThanOrEqual(pause - 1)
    expect(seconds).toBeLessThan(pause + 30)
  })

  it('go on when the provider is silent, and take silence for nothing', async () => {
    await test.expire(outTradeNo)
    for (const fault of ['systemError', 'loseAnswers', 'forgedAnswers'] as const) {
      test.wechat.faults[fault] = true
      await test.work()
      test.wechat.faults[fault] = false
      expect(await test.stateOf(outTradeNo)).toBe('prepared')
      expect((await test.waiting()).map(({ task }) => task)).toEqual(['payments:query'])
    }
    expect(await test.outcomes()).toEqual([])
  })

  it('do not settle another amount', async () => {
    test.wechat.pay(outTradeNo)
    const order = test.wechat.orders.get(outTradeNo)
    if (order) order.amountCents = 1
    await test.work()
    expect(await test.outcomes()).toEqual([])
    expect(await test.stateOf(outTradeNo)).toBe('prepared')
  })

  it('settle once when a process ends in the middle, however often', async () => {
    test.wechat.pay(outTradeNo)
    const dying: PaymentServices = {
      ...test.services,
      outcomes: {
        ...test.services.outcomes,
        async settlePaid(db, payments) {
          await test.services.outcomes.settlePaid(db, payments)
          throw new Error('the process ends here')
        },
      },
    }
    await test.work(dying)
    await test.work(dying)
    expect(await test.outcomes()).toEqual([])
    expect(await test.stateOf(outTradeNo)).toBe('prepared')
    await test.work()
    expect(await test.outcomes()).toHaveLength(1)
  })

  it.each([
    // As a process leaves it that was killed with the job in its hands.
    ['was lost with its process', `locked_at = now(), locked_by = 'a process that is gone'`],
    ['failed too often', 'attempts = max_attempts'],
  ])('are asked for anew when the job %s', async (_, circumstances) => {
    test.wechat.pay(outTradeNo)
    await test.pool.query(`update graphile_worker._private_jobs set ${circumstances}`)
    await test.pool.query(`update payments set created_at = now() - interval '1 minute'`)
    await test.work()
    expect(await test.outcomes()).toEqual([])
    await test.pool.query(`select graphile_worker.add_job('payments:find-forgotten')`)
    await test.work()
    expect(await test.outcomes()).toHaveLength(1)
  })
})

it('is settled within seconds by workers alone, when no notice comes', async () => {
  const { pool, db, services } = test
  const handlers = createPaymentJobs(services)
  const runner = await startJobs({ pool, db, log: services.log, handlers, crontab: paymentCrontab })
  test.wechat.faults.silentNotices = true
  await prepare()
  test.wechat.pay(outTradeNo)
  await expect.poll(() => test.stateOf(outTradeNo)).toBe('paid')
  await runner.stop()
})

it('lets everything else pass that has to be done, when the provider takes long', async () => {
  const { pool, db, services } = test
  for (const other of ['BBBB', 'CCCC', 'DDDD']) await test.place(`KT261121031500000${other}`)
  await test.pool.query(`update graphile_worker._private_jobs set run_at = now()`)
  const startChair = jobKind('test:start-a-chair', z.unknown())
  await addJob(db, startChair, {})
  const begun = Promise.withResolvers<number>()
  const handlers = [
    ...createPaymentJobs(services),
    handleJob(startChair, async () => {
      const { rows } = await pool.query<{ asked: number }>('select sum(queries) as asked from payments')
      begun.resolve(rows[0]?.asked ?? 0)
    }),
  ]
  const runner = await startJobs({ pool, db, log: services.log, handlers, concurrency: 1 })
  const askedBefore = await begun.promise
  await runner.stop()
  expect(askedBefore).toBe(0)
})
