import {
  addGoodsTemplate,
  deleteGoodsTemplate,
  listGoodsTemplates,
  modifyGoodsTemplate,
  workModes,
  type GoodsTemplate,
  type ParsedInputOf,
} from '@chairside/contract'
import { handle, handleList, type Call } from '../kit/call.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import {
  findTemplate,
  findTemplates,
  insertTemplate,
  lockTemplate,
  removeTemplate,
  streamTemplates,
  updateTemplate,
  type TemplateFilter,
  type TemplateValues,
} from './goods-templates-sql.ts'

const modeOf = (workmode: string | undefined) => (workmode === undefined ? undefined : Number(workmode))
const filterOf = ({ name, workmode }: ParsedInputOf<typeof listGoodsTemplates>): TemplateFilter => ({
  name,
  workMode: modeOf(workmode),
})
const isSleep = (workMode: number) => String(workMode) === workModes.sleep

interface Sent {
  name: string
  sleepmodestart?: string | undefined
  sleepmodeend?: string | undefined
}

/** What is stored of a form; only sleep has times. */
const valuesOf = ({ name, sleepmodestart, sleepmodeend }: Sent, workMode: number): TemplateValues => ({
  name,
  sleepStart: isSleep(workMode) ? (sleepmodestart ?? null) : null,
  sleepEnd: isSleep(workMode) ? (sleepmodeend ?? null) : null,
})

const audited = ({ name, workMode, sleepModeStart, sleepModeEnd }: GoodsTemplate) => ({
  name,
  workMode,
  sleepModeStart,
  sleepModeEnd,
})

/** Goods templates of a merchant (spec 2 §7, "Goods templates and goods"). */
export const goodsTemplateCalls: Call[] = [
  handleList(listGoodsTemplates, {
    page: ({ db, scope, input }) =>
      findTemplates(db, scope, filterOf(input), {
        skip: (input.pagenum - 1) * input.pagesize,
        take: input.pagesize,
      }),
    rows: ({ db, scope, input }) => streamTemplates(db, scope, filterOf(input)),
  }),
  handle(addGoodsTemplate, async ({ db, scope, input, caller, refuse, audit }) => {
    const merchantId = caller().organisationId
    // A template is made for oneself.
    if ((input.merchantId ?? merchantId) !== merchantId) return refuse('notFound')
    const workMode = Number(input.workmode)
    const id = await insertTemplate(db, { ...valuesOf(input, workMode), merchantId, workMode })
    const template = (await findTemplate(db, scope, id)) ?? refuse('notFound')
    audit({ target: template.name, after: audited(template) })
    return template
  }),
  handle(modifyGoodsTemplate, async ({ db, scope, input, caller, refuse, refuseField, audit }) => {
    if ((input.merchantId ?? caller().organisationId) !== caller().organisationId) return refuse('notFound')
    const before = await lockTemplate(db, scope, input.id)
    if (!before) return refuse('notFound')
    const { workMode } = before
    if ((modeOf(input.workmode) ?? workMode) !== workMode)
      return refuseField('workmode', 'validation.workModeStays')
    const sent = keepUnchanged(input, {
      name: before.name,
      sleepmodestart: before.sleepModeStart,
      sleepmodeend: before.sleepModeEnd,
    })
    for (const field of ['sleepmodestart', 'sleepmodeend'] as const)
      if (isSleep(workMode) && sent[field] === undefined) refuseField(field, 'validation.required')
    await updateTemplate(db, before.id, valuesOf(sent, workMode))
    const template = (await findTemplate(db, scope, before.id)) ?? refuse('notFound')
    audit({ target: before.name, before: audited(before), after: audited(template) })
    return template
  }),
  handle(deleteGoodsTemplate, async ({ db, scope, input, refuse, audit }) => {
    const template = await lockTemplate(db, scope, input.id)
    if (!template) return refuse('notFound')
    const removed = await removeTemplate(db, template.id)
    audit({
      target: template.name,
      before: { ...audited(template), goods: template.goodsList.map(({ name }) => name) },
    })
    return removed
  }),
]
