import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  cents,
  choice,
  day,
  filter,
  flag,
  integer,
  leavingUnchanged,
  listOf,
  paging,
  recordId,
  text,
  textOrEmpty,
} from '../kit/fields.ts'

/** Spec 2 §9; a use lasts a day at most. */
export const goodsLimits = {
  name: 60,
  durationMinutes: 1440,
  count: 1_000_000,
  portrait: 200,
  /** Goods of one template, all of which are on one pay page (docs/decisions/0290). */
  perTemplate: 100,
} as const

/** Goods (spec 2 §3); amounts in cents, `timeStart` and `timeEnd` are days and both included. */
export const Goods = z.object({
  id: z.int(),
  name: z.string(),
  nameEn: z.string(),
  price: z.int(),
  /** Minutes. */
  duration: z.int(),
  /** Higher comes first. */
  queue: z.int(),
  /** The first use of a customer at this merchant costs nothing. */
  freeFirst: z.boolean(),
  memberOnly: z.boolean(),
  timeLimit: z.boolean(),
  timeStart: z.string(),
  timeEnd: z.string(),
  /** Below 0 without limit. */
  instock: z.int(),
  /** Name of its picture, empty for none; its address is `bucketHost` and the name. */
  portrait: z.string(),
  bucketHost: z.string(),
  workMode: z.int(),
  templateid: z.int(),
})
export type Goods = z.output<typeof Goods>

const types = [2] as const

export const listGoods = endpoint({
  verb: 'GET',
  path: '/api/goods/list',
  summary: 'Goods of a template, highest queue first',
  needs: ['goodstemp.list', 'device.list'],
  input: z.object({ ...paging, templateid: recordId }),
  data: listOf(Goods),
  refuses: ['notFound'],
})

export const getGoods = endpoint({
  verb: 'GET',
  path: '/api/goods',
  summary: 'Goods for their edit page, with the template they belong to',
  needs: ['goodstemp.list', 'goods.modify'],
  types,
  input: z.object({ id: recordId }),
  data: Goods.extend({
    templateName: z.string(),
    /** Devices that sell from the template. */
    deviceCount: z.int(),
  }),
  refuses: ['notFound'],
})

const goodsFields = {
  name: text(goodsLimits.name),
  price: cents(),
  duration: integer(1, goodsLimits.durationMinutes),
}

/** `workmode` is the template's; sent along, it has to be just that. */
export const addGoods = endpoint({
  verb: 'POST',
  path: '/api/goods',
  summary: 'Adds goods to a template',
  needs: 'goods.add',
  types,
  audit: 'goods.add',
  input: z.object({
    ...goodsFields,
    templateid: recordId,
    nameen: filter(textOrEmpty(goodsLimits.name)),
    workmode: filter(choice(['0', '1'])),
  }),
  data: Goods,
  refuses: ['notFound', 'tooManyGoods'],
})

interface Limits {
  timeLimit?: boolean | undefined
  timeStart?: string | undefined
  timeEnd?: string | undefined
}

/** Goods that are limited in time have two days, the end not before the start (spec 2 §5). */
function requireDays({ timeLimit, timeStart, timeEnd }: Limits, context: z.RefinementCtx): void {
  if (timeLimit !== true) return
  const refuse = (field: keyof Limits, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message, input: undefined })
  if (timeStart === undefined) refuse('timeStart', 'required')
  if (timeEnd === undefined) refuse('timeEnd', 'required')
  if (timeStart !== undefined && timeEnd !== undefined && timeEnd < timeStart)
    refuse('timeEnd', 'endBeforeStart')
}

const count = integer(-goodsLimits.count, goodsLimits.count)

/**
 * What is not sent stays as it is; in particular `instock`, which customers lower meanwhile: it is sent by whoever wants
 * to set it. The work mode is the template's and stays.
 */
export const modifyGoods = endpoint({
  verb: 'PUT',
  path: '/api/goods',
  summary: 'Changes goods',
  needs: 'goods.modify',
  types,
  audit: 'goods.modify',
  input: z
    .object({
      id: recordId,
      ...goodsFields,
      nameEn: textOrEmpty(goodsLimits.name).optional(),
      queue: filter(count),
      freeFirst: filter(flag),
      memberOnly: filter(flag),
      timeLimit: filter(flag),
      timeStart: filter(day),
      timeEnd: filter(day),
      instock: filter(count),
      portrait: textOrEmpty(goodsLimits.portrait).optional(),
      workMode: filter(choice(['0', '1'])),
      templateid: filter(recordId),
      ...leavingUnchanged,
    })
    .superRefine(requireDays),
  data: Goods,
  refuses: ['notFound'],
})

/** Nobody can buy them any more; orders keep what they bought. */
export const deleteGoods = endpoint({
  verb: 'DELETE',
  path: '/api/goods',
  summary: 'Deletes goods',
  needs: 'goods.delete',
  types,
  audit: 'goods.delete',
  input: z.object({ id: recordId }),
  data: z.null(),
  refuses: ['notFound'],
})

export const goodsCalls = { listGoods, getGoods, addGoods, modifyGoods, deleteGoods }
