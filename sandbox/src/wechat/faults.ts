import { z } from 'zod'

/** How the played WeChat misbehaves; everything off is a good day. */
const fields = {
  /** No notices at all: only a query tells. */
  silentNotices: z.boolean(),
  /** Milliseconds a notice is late, before the time factor. */
  noticeDelayMs: z.number().min(0),
  /** How often each notice is sent, whatever is answered. */
  noticeCopies: z.int().min(0).max(100),
  /** The notice of a payment waits until the notice of its refund went out. */
  refundNoticeFirst: z.boolean(),
  /** What is wrong with the proof of a notice. */
  noticeForgery: z.enum([
    'none',
    'stranger',
    'unknownSerial',
    'probe',
    'flippedBit',
    'stale',
    'otherMerchant',
    'unsigned',
  ]),
  /** Notices and answers tell another amount. */
  wrongAmount: z.boolean(),
  /** Answers come this late, after the work was done. */
  answerDelayMs: z.number().min(0),
  /** Requests are lost before any work. */
  loseRequests: z.boolean(),
  /** Answers are lost after the work was done. */
  loseAnswers: z.boolean(),
  /** 500 before any work. */
  systemError: z.boolean(),
  /** 500 after the work was done. */
  errorAfterWork: z.boolean(),
  /** 429 before any work. */
  tooManyCalls: z.boolean(),
  /** Answers are altered after signing. */
  forgedAnswers: z.boolean(),
  /** Answers are a page of some proxy, though with 200. */
  garbledAnswers: z.boolean(),
  /** Refunds stay under way until told otherwise. */
  holdRefunds: z.boolean(),
  /** Refunds are refused with this code. */
  refuseRefunds: z.string(),
  /** Refunds end so. */
  refundEnd: z.enum(['SUCCESS', 'CLOSED', 'ABNORMAL']),
}
export const WechatFaults = z.strictObject(fields)
export type WechatFaults = z.output<typeof WechatFaults>
export const SomeWechatFaults = WechatFaults.partial()

/** Where a fault may strike. */
const faultMoments = [
  'prepare',
  'query',
  'close',
  'refund',
  'refundEnd',
  'queryRefund',
  'certificates',
  'paymentNotice',
  'refundNotice',
] as const
export type FaultMoment = (typeof faultMoments)[number]

/** Faults for one order or refund, one kind of call, or the next few only. */
export const FaultRule = z.strictObject({
  /** Number of an order or a refund. */
  about: z.string().optional(),
  moment: z.enum(faultMoments).optional(),
  times: z.int().min(1).optional(),
  faults: SomeWechatFaults,
})
export type FaultRule = z.output<typeof FaultRule>

export const goodDay = (): WechatFaults => ({
  silentNotices: false,
  noticeDelayMs: 0,
  noticeCopies: 1,
  refundNoticeFirst: false,
  noticeForgery: 'none',
  wrongAmount: false,
  answerDelayMs: 0,
  loseRequests: false,
  loseAnswers: false,
  systemError: false,
  errorAfterWork: false,
  tooManyCalls: false,
  forgedAnswers: false,
  garbledAnswers: false,
  holdRefunds: false,
  refuseRefunds: '',
  refundEnd: 'SUCCESS',
})

export interface FaultBook {
  /** For everything; changed in place. */
  everywhere: WechatFaults
  add(rule: FaultRule): void
  /** Forgets all rules and has a good day. */
  clear(): void
  /** What goes wrong at this moment; uses up one of the times of the rules that fit. */
  strike(moment: FaultMoment, ...about: readonly string[]): WechatFaults
}

export function createFaultBook(): FaultBook {
  const everywhere = goodDay()
  const rules = new Map<FaultRule, { left: number }>()
  return {
    everywhere,
    add: (rule) => void rules.set(rule, { left: rule.times ?? Infinity }),
    clear() {
      rules.clear()
      Object.assign(everywhere, goodDay())
    },
    strike(moment, ...about) {
      const struck = { ...everywhere }
      for (const [rule, uses] of rules) {
        if (rule.moment !== undefined && rule.moment !== moment) continue
        if (rule.about !== undefined && !about.includes(rule.about)) continue
        Object.assign(struck, rule.faults)
        uses.left--
        if (uses.left <= 0) rules.delete(rule)
      }
      return struck
    },
  }
}
