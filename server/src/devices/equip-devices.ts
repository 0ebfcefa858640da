import { bindGoodsToDevices, linkDevicesToPlace, type DeviceRefusal } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { changeDevices } from './change-devices.ts'
import type { DeviceLogLine } from './device-log.ts'
import type { DeviceToChange } from './devices-to-change-sql.ts'

interface OfMerchant {
  id: number
  merchantId: number
  name: string
}

/** A place that is there, kept from being removed until the transaction ends. */
async function findPlace(db: Database, scope: Scope, id: number): Promise<OfMerchant | undefined> {
  const { rows } = await sql<OfMerchant>`
    select p.id, p.merchant_id as "merchantId", p.address as name from places p
     where p.id = ${id} and p.removed_at is null
       and ${withinScope(scope, { merchantId: sql`p.merchant_id`, placeId: sql`p.id` })} for share`.execute(
    db,
  )
  return rows[0]
}

interface Template extends OfMerchant {
  workMode: number
}

/** A goods template that is there, kept from being removed. All of a merchant's are its sub-accounts' to choose from. */
async function findTemplate(db: Database, scope: Scope, id: number): Promise<Template | undefined> {
  const within: Scope = scope.kind === 'places' ? { kind: 'merchant', merchantId: scope.merchantId } : scope
  const { rows } = await sql<Template>`
    select t.id, t.merchant_id as "merchantId", t.name, t.work_mode as "workMode" from goods_templates t
     where t.id = ${id} and t.removed_at is null and ${withinScope(within, { merchantId: sql`t.merchant_id` })} for share`.execute(
    db,
  )
  return rows[0]
}

/** What belongs to a merchant is for that merchant's devices alone. */
const judgeFor =
  ({ merchantId }: OfMerchant) =>
  (device: DeviceToChange): DeviceRefusal | undefined => {
    if (device.merchantId === null) return 'deviceUnassigned'
    return device.merchantId === merchantId ? undefined : 'otherMerchant'
  }

/** Gone or somebody else's: not there, and told at its field, so that it is not taken for the devices. */
function refuseMissing(
  { refuse, language }: Pick<CallContext, 'language'> & { refuse(refusal: 'notFound', data: unknown): never },
  field: 'placeId' | 'templateId' | 'sleepTemplateId',
): never {
  const text = field === 'placeId' ? 'validation.placeUnknown' : 'validation.templateUnknown'
  return refuse('notFound', { fields: { [field]: translate(language, text) } })
}

async function linkPlace(context: CallContext<typeof linkDevicesToPlace>) {
  const { db, scope, input } = context
  const place = await findPlace(db, scope, input.placeId)
  if (!place) return refuseMissing(context, 'placeId')
  return changeDevices(context, {
    judge: judgeFor(place),
    isAsWished: ({ placeId }) => placeId === place.id,
    apply: async (devices) => {
      const ids = devices.map(({ id }) => id)
      await sql`update devices set place_id = ${place.id} where id = any(${ids}::bigint[])`.execute(db)
    },
    before: ({ placeId }) => ({ placeId }),
    after: () => ({ placeId: place.id }),
    log: ({ merchantId }) => [{ merchantId, action: 'placeLinked', details: { place: place.name } }],
  })
}

const workModes = { massage: 0, sleep: 1 } as const

async function bindGoods(context: CallContext<typeof bindGoodsToDevices>) {
  const { db, scope, input, refuse, refuseField } = context
  const template = await findTemplate(db, scope, input.templateId)
  if (!template) return refuseMissing(context, 'templateId')
  if (template.workMode !== workModes.massage) refuseField('templateId', 'validation.notAMassageTemplate')
  const { sleepTemplateId: sleepId } = input
  const sleep = typeof sleepId === 'number' ? await findTemplate(db, scope, sleepId) : undefined
  if (typeof sleepId === 'number') {
    if (!sleep) return refuseMissing(context, 'sleepTemplateId')
    if (sleep.workMode !== workModes.sleep) refuseField('sleepTemplateId', 'validation.notASleepTemplate')
    if (sleep.merchantId !== template.merchantId) return refuse('otherMerchant')
  }
  const sleepAfter = ({ sleepTemplateId }: DeviceToChange) =>
    sleepId === undefined ? sleepTemplateId : (sleep?.id ?? null)
  const done: Pick<DeviceLogLine, 'action' | 'details'> = sleep
    ? { action: 'templatesBound', details: { template: template.name, sleepTemplate: sleep.name } }
    : { action: 'templateBound', details: { template: template.name } }
  return changeDevices(context, {
    judge: judgeFor(template),
    isAsWished: (device) =>
      device.templateId === template.id && device.sleepTemplateId === sleepAfter(device),
    apply: async (devices) => {
      const ids = devices.map(({ id }) => id)
      await sql`
        update devices set template_id = ${template.id},
               sleep_template_id = case when ${sleepId === undefined} then sleep_template_id else ${sleep?.id ?? null}::bigint end
         where id = any(${ids}::bigint[])`.execute(db)
    },
    before: ({ templateId, sleepTemplateId }) => ({ templateId, sleepTemplateId }),
    after: (device) => ({ templateId: template.id, sleepTemplateId: sleepAfter(device) }),
    log: ({ merchantId }) => [{ merchantId, ...done }],
  })
}

/** The places of devices and what they sell (spec 2 §7). */
export const equipDevicesCalls: Call[] = [
  handle(linkDevicesToPlace, linkPlace),
  handle(bindGoodsToDevices, bindGoods),
]
