import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  choice,
  filter,
  instant,
  listOf,
  paging,
  recordId,
  text,
  textOrEmpty,
  leavingUnchanged,
} from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { clockTime } from './clock-times.ts'
import { Goods } from './goods.ts'

/** Spec 2 §9. */
const templateNameMax = 60

/** What a template's goods are for (spec 2 §3); it is fixed when the template is made. */
export const workModes = { massage: '0', sleep: '1' } as const
const workMode = choice(['0', '1'])

/** A goods template (spec 2 §3); what is after `goodsList` is ours. */
export const GoodsTemplate = z.object({
  id: z.int(),
  name: z.string(),
  merchantId: z.int(),
  workMode: z.int(),
  /** `HH:MM`, empty for massage; across midnight when the end is before the start, all day when both are the same. */
  sleepModeStart: z.string(),
  sleepModeEnd: z.string(),
  createTime: instant,
  /** Highest `queue` first, as the pay page has them. */
  goodsList: z.array(Goods),
  goodsCount: z.int(),
  /** Devices that sell from it. */
  deviceCount: z.int(),
})
export type GoodsTemplate = z.output<typeof GoodsTemplate>

const templateColumns = [
  { field: 'name', text: 'catalogue.template.field.name', kind: 'text' },
  {
    field: 'workMode',
    text: 'catalogue.template.field.workMode',
    kind: 'status',
    valueText: 'catalogue.workMode',
  },
  { field: 'sleepModeStart', text: 'catalogue.template.field.sleepModeStart', kind: 'text' },
  { field: 'sleepModeEnd', text: 'catalogue.template.field.sleepModeEnd', kind: 'text' },
  { field: 'goodsCount', text: 'catalogue.template.field.goods', kind: 'integer' },
  { field: 'deviceCount', text: 'catalogue.template.field.devices', kind: 'integer' },
  { field: 'createTime', text: 'catalogue.template.field.createTime', kind: 'dateTime' },
] as const satisfies readonly SheetColumn[]

const types = [2] as const

/** Also fills the choice of templates in the device list. `name`, which is ours: a part of it, as the screen searches. */
export const listGoodsTemplates = endpoint({
  verb: 'GET',
  path: '/api/goodstemplateList',
  summary: 'Goods templates of the caller’s merchant with their goods, newest first',
  needs: ['goodstemp.list', 'device.list'],
  types: [2, 4],
  input: z.object({ ...paging, name: filter(textOrEmpty(templateNameMax)), workmode: filter(workMode) }),
  data: listOf(GoodsTemplate),
  refuses: [],
  sheet: { fileName: 'goodstemplates.xlsx', columns: templateColumns },
})

const sleepTimes = { sleepmodestart: filter(clockTime), sleepmodeend: filter(clockTime) }
const templateFields = { name: text(templateNameMax), ...sleepTimes }

/** A sleep template has hours; the message is for the one that is missing. */
function requireSleepTimes(
  { workmode, ...times }: { workmode?: string | undefined; sleepmodestart?: unknown; sleepmodeend?: unknown },
  context: z.RefinementCtx,
): void {
  if (workmode !== workModes.sleep) return
  for (const field of ['sleepmodestart', 'sleepmodeend'] as const)
    if (times[field] === undefined)
      context.addIssue({ code: 'custom', path: [field], message: 'required', input: undefined })
}

export const addGoodsTemplate = endpoint({
  verb: 'POST',
  path: '/api/template',
  summary: 'Adds a goods template to the caller’s merchant',
  needs: 'goodstemp.add',
  types,
  audit: 'goodstemp.add',
  /** `merchantId` can only be the caller's own. */
  input: z
    .object({ ...templateFields, workmode: workMode, merchantId: filter(recordId) })
    .superRefine(requireSleepTimes),
  data: GoodsTemplate,
  refuses: ['notFound'],
})

/** The work mode stays; sent along, it has to be the one the template has. */
export const modifyGoodsTemplate = endpoint({
  verb: 'PUT',
  path: '/api/template',
  summary: 'Changes name and sleep times of a goods template',
  needs: 'goodstemp.modify',
  types,
  audit: 'goodstemp.modify',
  input: z
    .object({
      id: recordId,
      ...templateFields,
      workmode: filter(workMode),
      merchantId: filter(recordId),
      ...leavingUnchanged,
    })
    .superRefine(requireSleepTimes),
  data: GoodsTemplate,
  refuses: ['notFound'],
})

/** Devices that sell from it have no template then and cannot sell; orders keep what they bought. */
export const deleteGoodsTemplate = endpoint({
  verb: 'DELETE',
  path: '/api/template',
  summary: 'Deletes a goods template with its goods',
  needs: 'goodstemp.delete',
  types,
  audit: 'goodstemp.delete',
  input: z.object({ id: recordId }),
  data: z.object({
    /** Devices that sold from it. */
    devices: z.int(),
    goods: z.int(),
  }),
  refuses: ['notFound'],
})

export const goodsTemplateCalls = {
  listGoodsTemplates,
  addGoodsTemplate,
  modifyGoodsTemplate,
  deleteGoodsTemplate,
}
