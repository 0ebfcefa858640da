import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNoticePost, type NoticePost } from './notice-post.ts'
import type { PaymentAdapter, PrepareRequest, Prepared } from './payment-adapter.ts'

/** What the shared suite needs of a played provider, whatever it is called there. */
export interface PlayedProvider {
  /** Adapters of one channel; a short time-out makes silence short. */
  createAdapter(options?: { timeoutMs?: number }): PaymentAdapter
  /** The same channel, with a key of ours that the provider does not know. */
  createStranger(): PaymentAdapter
  /** Ways of paying the provider offers. */
  trades: readonly PrepareRequest['trade'][]
  /** What the payer does with what was prepared, up to the payer's page; throws when it is not proved to be ours. */
  openPayerPage(prepared: Prepared, outTradeNo: string): Promise<string>
  pay(outTradeNo: string): void
  /** Every answer from now on; `goodDay` ends it and all else that was wrong. */
  misbehave(how: Misbehaviour): void
  /** What notices are from now on. */
  spoilNotices(how: NoticeFault): void
  /** Of the next refunds: stay under way, or fail in the end. */
  refundsWill(how: 'stay under way' | 'fail'): void
  refuseRefunds(how: 'for good' | 'for now'): void
  endRefunds(): void
  goodDay(): void
  stop(): Promise<void>
}

export type Misbehaviour =
  | 'silent before'
  | 'silent after'
  | 'too late'
  | 'broken before'
  | 'broken after'
  | 'too busy'
  | 'unreadable'
  | 'altered'

export type NoticeFault = 'unsigned' | 'forged' | 'altered' | 'stale' | 'unknownKey' | 'foreign' | 'probe'

const misbehaviours: Misbehaviour[] = [
  'silent before',
  'silent after',
  'too late',
  'broken before',
  'broken after',
  'too busy',
  'unreadable',
  'altered',
]
/** What each spoilt notice is refused as. */
const refusals: Record<NoticeFault, string> = {
  unsigned: 'unsigned',
  forged: 'forged',
  altered: 'forged',
  stale: 'stale',
  unknownKey: 'unknownKey',
  foreign: 'foreign',
  probe: 'probe',
}

const amountCents = 500
const shortMs = 400

/** The one suite that every adapter passes, against the provider it speaks with, played over HTTP. */
export function checkAdapter(
  start: () => Promise<PlayedProvider>,
  noticeFaults: readonly NoticeFault[],
): void {
  let provider: PlayedProvider
  let post: NoticePost
  let adapter: PaymentAdapter

  beforeAll(async () => {
    provider = await start()
  })
  afterAll(() => provider.stop())
  beforeEach(async () => {
    adapter = provider.createAdapter()
    post = await startNoticePost(adapter)
  })
  afterEach(async () => {
    provider.goodDay()
    await post.stop()
  })

  const newNumber = () => `KT261121${randomBytes(6).toString('hex').toUpperCase()}01`
  const requestOf = (outTradeNo: string, change: Partial<PrepareRequest> = {}): PrepareRequest => ({
    outTradeNo,
    amountCents,
    description: '按摩椅 10 minutes',
    notifyUrl: post.url,
    expiresAt: new Date(Math.floor(Date.now() / 1000 + 300) * 1000),
    trade: provider.trades[0] ?? { kind: 'native' },
    ...change,
  })
  const prepare = async (change?: Partial<PrepareRequest>) => {
    const outTradeNo = newNumber()
    const request = requestOf(outTradeNo, change)
    expect(await adapter.prepare(request)).toMatchObject({ outcome: 'accepted' })
    return request
  }
  const pay = async () => {
    const request = await prepare()
    provider.pay(request.outTradeNo)
    return request
  }
  const refundOf = (outTradeNo: string, refundCents: number, outRefundNo = `TK${outTradeNo}A`) => ({
    outTradeNo,
    outRefundNo,
    refundCents,
    totalCents: amountCents,
    reason: '未启动 no start',
    notifyUrl: post.url,
  })
  const stateOf = async (outTradeNo: string) => {
    const answer = await adapter.query(outTradeNo)
    return answer.outcome === 'accepted' ? answer.result.state : answer.outcome
  }
  const refundStateOf = async (outRefundNo: string) => {
    const answer = await adapter.queryRefund(outRefundNo)
    return answer.outcome === 'accepted' ? answer.result.state : answer.outcome
  }

  describe('a payment', () => {
    it('can be prepared in each way the provider has, and leads its payer to the provider', async () => {
      for (const trade of provider.trades) {
        const outTradeNo = newNumber()
        const answer = await adapter.prepare(requestOf(outTradeNo, { trade }))
        expect(answer).toMatchObject({ outcome: 'accepted', result: { kind: trade.kind } })
        if (answer.outcome !== 'accepted') continue
        const page = await provider.openPayerPage(answer.result, outTradeNo)
        expect(page).toContain('5.00')
        expect(page).toContain('按摩椅 10 minutes')
      }
    })

    it('can be prepared again with the same parameters, and not with others', async () => {
      const request = await prepare()
      expect(await adapter.prepare(request)).toMatchObject({ outcome: 'accepted' })
      const dearer = await adapter.prepare({ ...request, amountCents: amountCents + 1 })
      expect(dearer).toMatchObject({ outcome: 'refused' })
    })

    it('is unpaid until it is paid, and then tells by whom, when and how much', async () => {
      const { outTradeNo } = await prepare()
      expect(await stateOf(outTradeNo)).toBe('unpaid')
      provider.pay(outTradeNo)
      const answer = await adapter.query(outTradeNo)
      expect(answer).toMatchObject({
        outcome: 'accepted',
        result: { state: 'paid', outTradeNo, amountCents },
      })
      if (answer.outcome !== 'accepted') return
      expect(answer.result.transactionId).not.toBe('')
      expect(answer.result.payerId).not.toBe('')
      expect(Math.abs(Date.now() - (answer.result.paidAt?.getTime() ?? 0))).toBeLessThan(10_000)
    })

    it('that the provider never heard of is not found', async () => {
      expect(await stateOf(newNumber())).toBe('notFound')
    })

    it('can be closed, again and again, and is closed then', async () => {
      const { outTradeNo } = await prepare()
      expect(await adapter.close(outTradeNo)).toMatchObject({ outcome: 'accepted' })
      expect(await adapter.close(outTradeNo)).toMatchObject({ outcome: 'accepted' })
      expect(await stateOf(outTradeNo)).toBe('closed')
      expect(() => provider.pay(outTradeNo)).toThrow('CLOSED')
    })

    it('that is paid is not closed any more', async () => {
      const { outTradeNo } = await pay()
      expect(await adapter.close(outTradeNo)).toMatchObject({ outcome: 'refused' })
      expect(await stateOf(outTradeNo)).toBe('paid')
    })

    it('that our signature does not prove is refused', async () => {
      const outTradeNo = newNumber()
      const answer = await provider.createStranger().prepare(requestOf(outTradeNo))
      expect(answer).toMatchObject({ outcome: 'refused' })
      expect(await stateOf(outTradeNo)).toBe('notFound')
    })
  })

  describe('a refund', () => {
    it('is under way, succeeds, and leaves the payment paid', async () => {
      const { outTradeNo } = await pay()
      provider.refundsWill('stay under way')
      const asked = refundOf(outTradeNo, 200)
      expect(await adapter.refund(asked)).toMatchObject({
        outcome: 'accepted',
        result: { state: 'processing', outRefundNo: asked.outRefundNo, refundCents: 200 },
      })
      provider.endRefunds()
      expect(await refundStateOf(asked.outRefundNo)).toBe('succeeded')
      expect(await stateOf(outTradeNo)).toBe('paid')
    })

    it('asked for again is the same refund; with another amount it is refused', async () => {
      const { outTradeNo } = await pay()
      const asked = refundOf(outTradeNo, 200)
      const [first, second] = [await adapter.refund(asked), await adapter.refund(asked)]
      if (first.outcome !== 'accepted' || second.outcome !== 'accepted') throw new Error('not accepted')
      expect(second.result.providerRefundId).toBe(first.result.providerRefundId)
      expect(await adapter.refund({ ...asked, refundCents: 300 })).toMatchObject({ outcome: 'refused' })
    })

    it('never gives back more than was paid', async () => {
      const { outTradeNo } = await pay()
      expect(await adapter.refund(refundOf(outTradeNo, 300, `TK${outTradeNo}A`))).toMatchObject({
        outcome: 'accepted',
      })
      expect(await adapter.refund(refundOf(outTradeNo, 201, `TK${outTradeNo}B`))).toMatchObject({
        outcome: 'refused',
      })
      expect(await refundStateOf(`TK${outTradeNo}B`)).toBe('notFound')
      expect(await adapter.refund(refundOf(outTradeNo, 200, `TK${outTradeNo}C`))).toMatchObject({
        outcome: 'accepted',
      })
    })

    it('of what is not paid is refused', async () => {
      const { outTradeNo } = await prepare()
      expect(await adapter.refund(refundOf(outTradeNo, 100))).toMatchObject({ outcome: 'refused' })
    })

    it('that the provider refuses says why, and stands nowhere', async () => {
      const { outTradeNo } = await pay()
      provider.refuseRefunds('for good')
      const refused = await adapter.refund(refundOf(outTradeNo, 100))
      expect(refused).toMatchObject({ outcome: 'refused', code: expect.stringMatching(/./) })
      provider.goodDay()
      expect(await refundStateOf(`TK${outTradeNo}A`)).toBe('notFound')
    })

    it('that the provider does not take for now is taken later, with the same number', async () => {
      const { outTradeNo } = await pay()
      provider.refuseRefunds('for now')
      const refused = await adapter.refund(refundOf(outTradeNo, 100))
      expect(refused).toMatchObject({ outcome: 'refusedForNow', code: expect.stringMatching(/./) })
      provider.goodDay()
      expect(await refundStateOf(`TK${outTradeNo}A`)).toBe('notFound')
      expect(await adapter.refund(refundOf(outTradeNo, 100))).toMatchObject({ outcome: 'accepted' })
    })

    it('that fails in the end says so', async () => {
      const { outTradeNo } = await pay()
      provider.refundsWill('fail')
      await adapter.refund(refundOf(outTradeNo, 100))
      await expect.poll(() => refundStateOf(`TK${outTradeNo}A`)).toBe('failed')
    })
  })

  describe.each(misbehaviours)('when the provider is %s', (how) => {
    it('nothing is known, whatever was asked', async () => {
      const { outTradeNo } = await pay()
      const known = refundOf(outTradeNo, 100)
      await adapter.refund(known)
      const open = await prepare()
      const impatient = provider.createAdapter({ timeoutMs: shortMs })
      provider.misbehave(how)
      const answers = {
        prepare: await impatient.prepare(requestOf(newNumber())),
        query: await impatient.query(outTradeNo),
        close: await impatient.close(open.outTradeNo),
        refund: await impatient.refund(refundOf(outTradeNo, 100, `TK${outTradeNo}B`)),
        queryRefund: await impatient.queryRefund(known.outRefundNo),
      }
      const told = Object.entries(answers).filter(([, { outcome }]) => outcome !== 'unknown')
      expect(told.map(([call]) => call)).toEqual([])
    })
  })

  it('what was done in silence is found afterwards, and asking again does nothing twice', async () => {
    const outTradeNo = newNumber()
    const impatient = provider.createAdapter({ timeoutMs: shortMs })
    provider.misbehave('silent after')
    expect(await impatient.prepare(requestOf(outTradeNo))).toMatchObject({ outcome: 'unknown' })
    provider.goodDay()
    expect(await stateOf(outTradeNo)).toBe('unpaid')
    provider.pay(outTradeNo)
    provider.misbehave('broken after')
    expect(await adapter.refund(refundOf(outTradeNo, 500))).toMatchObject({ outcome: 'unknown' })
    provider.goodDay()
    expect(await refundStateOf(`TK${outTradeNo}A`)).not.toBe('notFound')
    expect(await adapter.refund(refundOf(outTradeNo, 500))).toMatchObject({ outcome: 'accepted' })
  })

  it('what was never done is not found afterwards', async () => {
    const outTradeNo = newNumber()
    provider.misbehave('broken before')
    expect(await adapter.prepare(requestOf(outTradeNo))).toMatchObject({ outcome: 'unknown' })
    provider.goodDay()
    expect(await stateOf(outTradeNo)).toBe('notFound')
  })

  describe('a notice', () => {
    it('of a payment is proved, and tells what a query tells', async () => {
      const { outTradeNo } = await pay()
      const check = await post.next()
      const answer = await adapter.query(outTradeNo)
      if (answer.outcome !== 'accepted') throw new Error('not accepted')
      expect(check).toMatchObject({ verified: true, notice: { kind: 'payment', payment: answer.result } })
    })

    it('of a refund is proved, and tells what it is about', async () => {
      const { outTradeNo } = await pay()
      await post.next()
      const asked = refundOf(outTradeNo, 200)
      await adapter.refund(asked)
      expect(await post.next()).toMatchObject({
        verified: true,
        notice: {
          kind: 'refund',
          outTradeNo,
          refund: { state: 'succeeded', outRefundNo: asked.outRefundNo, refundCents: 200 },
        },
      })
    })

    it('comes again, as the same notice, until it is answered as the provider wants', async () => {
      post.takesFrom(3)
      await pay()
      const checks = [await post.next(), await post.next(), await post.next()]
      const ids = checks.map((check) => (check.verified ? check.notice.noticeId : 'refused'))
      expect(new Set(ids).size).toBe(1)
      expect(ids[0]).not.toBe('refused')
      await expect(post.next(shortMs)).rejects.toThrow('no notice')
    })

    it.each(noticeFaults)('that is %s is refused', async (fault) => {
      provider.spoilNotices(fault)
      await pay()
      expect(await post.next()).toEqual({ verified: false, reason: refusals[fault] })
    })

    it('is refused when it is anything at all', async () => {
      for (const body of ['', '{}', 'null', '[]', '<xml/>', '\0', '{"id":1}']) {
        const check = await adapter.parseNotice({ headers: {}, body: Buffer.from(body), now: new Date() })
        expect(check.verified).toBe(false)
      }
    })
  })
}
