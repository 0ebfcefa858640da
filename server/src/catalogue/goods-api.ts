import {
  addGoods,
  deleteGoods,
  getGoods,
  goodsLimits,
  isKeyFor,
  listGoods,
  modifyGoods,
  type Goods,
  type ParsedInputOf,
} from '@chairside/contract'
import { handle, handleList, type Call, type CallContext } from '../kit/call.ts'
import type { Database } from '../kit/database.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import {
  findGoods,
  findGoodsOf,
  insertGoods,
  lockGoods,
  removeGoods,
  streamGoodsOf,
  updateGoods,
} from './goods-sql.ts'
import { usePicture } from './pictures-sql.ts'
import { findTemplate, lockTemplate } from './goods-templates-sql.ts'

type ListContext = CallContext<typeof listGoods>

/** The template whose goods are asked for; somebody else's is not there. */
const templateOf = async ({ db, scope, input, refuse }: ListContext) =>
  (await findTemplate(db, scope, input.templateid)) ?? refuse('notFound')

/** The stock that means "without limit", whatever number below 0 was typed. */
const unlimited = -1

/** Goods with what was sent of them. */
function withChanges(before: Goods, sent: ParsedInputOf<typeof modifyGoods>): Goods {
  return {
    ...before,
    name: sent.name,
    nameEn: sent.nameEn ?? before.nameEn,
    price: sent.price,
    duration: sent.duration,
    queue: sent.queue ?? before.queue,
    freeFirst: sent.freeFirst ?? before.freeFirst,
    memberOnly: sent.memberOnly ?? before.memberOnly,
    timeLimit: sent.timeLimit ?? before.timeLimit,
    timeStart: sent.timeStart ?? before.timeStart,
    timeEnd: sent.timeEnd ?? before.timeEnd,
    instock: sent.instock === undefined ? before.instock : Math.max(sent.instock, unlimited),
    portrait: sent.portrait ?? before.portrait,
  }
}

/** Goods as their form has them, except the stock, which is only sent by whoever sets it. */
const formOf = ({
  id: _id,
  bucketHost: _host,
  templateid: _template,
  workMode: _mode,
  instock: _stock,
  ...form
}: Goods) => form

/**
 * Takes the picture of goods into use: the one they have already, or one that the merchant sent in for goods; answers
 * whether there is such a picture.
 */
async function takesPicture(
  db: Database,
  merchantId: number,
  { before, key }: { before: string; key: string },
): Promise<boolean> {
  if (key === '' || key === before) return true
  return (
    isKeyFor('portrait', key) && usePicture(db, { key, purpose: 'portrait', organisationIds: [merchantId] })
  )
}

const audited = ({ id: _id, bucketHost: _host, templateid: _template, workMode: _mode, ...goods }: Goods) =>
  goods

/** What a template offers (spec 2 §7, "Goods templates and goods"). What is saved is on the pay page at once. */
export const goodsCalls: Call[] = [
  handleList(listGoods, {
    page: async (context) => {
      const template = await templateOf(context)
      const { pagesize: take, pagenum } = context.input
      return findGoodsOf(context.db, template.id, { skip: (pagenum - 1) * take, take })
    },
    rows: async function* (context: ListContext) {
      const template = await templateOf(context)
      yield* streamGoodsOf(context.db, template.id)
    },
  }),
  handle(getGoods, async ({ db, scope, input, refuse }) => {
    const goods = (await findGoods(db, scope, input.id)) ?? refuse('notFound')
    const template = (await findTemplate(db, scope, goods.templateid)) ?? refuse('notFound')
    return { ...goods, templateName: template.name, deviceCount: template.deviceCount }
  }),
  handle(addGoods, async ({ db, scope, input, refuse, refuseField, audit }) => {
    const template = await lockTemplate(db, scope, input.templateid)
    if (!template) return refuse('notFound')
    if (input.workmode !== undefined && Number(input.workmode) !== template.workMode)
      return refuseField('workmode', 'validation.workModeStays')
    if (template.goodsCount >= goodsLimits.perTemplate)
      return refuse('tooManyGoods', { max: String(goodsLimits.perTemplate) })
    const [id = 0] = await insertGoods(db, template, [input])
    const goods = (await findGoods(db, scope, id)) ?? refuse('notFound')
    audit({ target: `${template.name} / ${goods.name}`, after: audited(goods) })
    return goods
  }),
  handle(modifyGoods, async ({ db, scope, input, caller, refuse, refuseField, audit }) => {
    const before = await lockGoods(db, scope, input.id)
    if (!before || (input.templateid ?? before.templateid) !== before.templateid) return refuse('notFound')
    if (input.workMode !== undefined && Number(input.workMode) !== before.workMode)
      return refuseField('workMode', 'validation.workModeStays')
    const goods = withChanges(before, keepUnchanged(input, formOf(before)))
    if (goods.timeLimit) {
      if (goods.timeStart === '') refuseField('timeStart', 'validation.required')
      if (goods.timeEnd === '') refuseField('timeEnd', 'validation.required')
      if (goods.timeEnd < goods.timeStart) refuseField('timeEnd', 'validation.endBeforeStart')
    }
    if (!(await takesPicture(db, caller().organisationId, { before: before.portrait, key: goods.portrait })))
      return refuseField('portrait', 'validation.pictureUnknown')
    await updateGoods(db, goods, input.instock === undefined ? undefined : goods.instock)
    audit({ target: before.name, before: audited(before), after: audited(goods) })
    return goods
  }),
  handle(deleteGoods, async ({ db, scope, input, refuse, audit }) => {
    const goods = await lockGoods(db, scope, input.id)
    if (!goods) return refuse('notFound')
    await removeGoods(db, goods.id)
    audit({ target: goods.name, before: audited(goods) })
    return null
  }),
]
