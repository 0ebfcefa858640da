import { z } from 'zod'

/* What WeChat requires of requests (reference 1.2, 1.4, 2). Addresses may be http here: this WeChat is played at home. */

export class WechatError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message = code) {
    super(message)
    this.status = status
    this.code = code
  }
}

const id32 = z.string().min(1).max(32)
const notifyUrl = (max: number) =>
  z
    .url({ protocol: /^https?$/ })
    .max(max)
    .refine((url) => !url.includes('?'), 'notify_url must not have a query')

const order = {
  description: z.string().min(1).max(127),
  out_trade_no: z.string().regex(/^[0-9A-Za-z_\-|*]{6,32}$/),
  time_expire: z.iso.datetime({ offset: true }).optional(),
  attach: z.string().max(128).optional(),
  goods_tag: z.string().max(32).optional(),
  notify_url: notifyUrl(255),
  amount: z.object({ total: z.int().min(1).max(1_000_000_000), currency: z.literal('CNY').optional() }),
}
const openId = z.string().min(1).max(128)

const direct = { ...order, appid: id32, mchid: id32 }
const partner = {
  ...order,
  sp_appid: id32,
  sp_mchid: id32,
  sub_mchid: id32,
  sub_appid: id32.optional(),
}

export const DirectOrder = z.object({ ...direct, payer: z.object({ openid: openId }).optional() })
export const PartnerOrder = z.object({
  ...partner,
  payer: z.object({ sp_openid: openId.optional(), sub_openid: openId.optional() }).optional(),
})
export type AskedOrder = z.output<typeof DirectOrder> | z.output<typeof PartnerOrder>

export const DirectClose = z.object({ mchid: id32 })
export const PartnerClose = z.object({ sp_mchid: id32, sub_mchid: id32 })

export const AskedRefund = z
  .object({
    sub_mchid: id32.optional(),
    transaction_id: id32.optional(),
    out_trade_no: z.string().optional(),
    out_refund_no: z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/),
    reason: z.string().max(80).optional(),
    notify_url: notifyUrl(256).optional(),
    amount: z.object({ refund: z.int().min(1), total: z.int().min(1), currency: z.literal('CNY') }),
  })
  .refine(
    (asked) => (asked.transaction_id === undefined) !== (asked.out_trade_no === undefined),
    'one of transaction_id and out_trade_no',
  )
export type AskedRefund = z.output<typeof AskedRefund>

/** @throws WechatError PARAM_ERROR naming the field */
export function readBody<Wire>(schema: z.ZodType<Wire>, body: string): Wire {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    throw new WechatError(400, 'PARAM_ERROR', 'the body is not JSON')
  }
  const read = schema.safeParse(json)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new WechatError(400, 'PARAM_ERROR', `${issue?.path.join('.')}: ${issue?.message}`)
}
