import { moveDevices } from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { sql } from '../kit/database.ts'
import { findOrganisationsById, holdTree } from '../organisations/organisations-sql.ts'
import { changeDevices } from './change-devices.ts'
import { handOverDevices } from './device-terms-sql.ts'
import type { DeviceToChange } from './devices-to-change-sql.ts'

/**
 * Gives devices to a merchant (spec 2 §4). Nobody moves organisations meanwhile, so that a caller's subtree is the same
 * at the end as when it was looked at.
 */
async function move(context: CallContext<typeof moveDevices>) {
  const { db, scope, input, refuse } = context
  await holdTree(db)
  const [target] = await findOrganisationsById(db, scope, [input.merchantId])
  if (!target) return refuse('notFound')
  if (target.kind !== 'merchant') return refuse('onlyToMerchants')

  const boundAfter = ({ bound }: DeviceToChange) =>
    input.associated === '2' ? bound : input.associated === '1'
  const changesHands = ({ merchantId }: DeviceToChange) => merchantId !== target.id
  return changeDevices(context, {
    // Whoever holds a chair can stop it, so while it runs for what its merchant's customer paid, it stays that merchant's.
    judge: (device) => (changesHands(device) && device.inUse ? 'deviceBusy' : undefined),
    isAsWished: (device) => !changesHands(device) && boundAfter(device) === device.bound,
    apply: async (devices) => {
      const ids = devices.map(({ id }) => id)
      // The network of the merchant before is nothing for the next to read; orders, history and log keep whose they were.
      await sql`
        update devices set
          place_id = case when merchant_id = ${target.id} then place_id end,
          template_id = case when merchant_id = ${target.id} then template_id end,
          sleep_template_id = case when merchant_id = ${target.id} then sleep_template_id end,
          wifi_ssid = case when merchant_id = ${target.id} then wifi_ssid else '' end,
          wifi_password = case when merchant_id = ${target.id} then wifi_password end,
          bound_at = case when ${input.associated} = '0' or ${input.associated} = '2' and not bound then null
                          when bound and merchant_id = ${target.id} then bound_at else now() end,
          bound = case ${input.associated} when '1' then true when '0' then false else bound end,
          merchant_id = ${target.id}
         where id = any(${ids}::bigint[])`.execute(db)
      await handOverDevices(
        db,
        devices.filter(changesHands).map(({ id }) => id),
      )
    },
    before: ({ merchantId, placeId, templateId, sleepTemplateId, bound }) => ({
      merchantId,
      placeId,
      templateId,
      sleepTemplateId,
      bound,
    }),
    after: (device) => ({
      merchantId: target.id,
      ...(changesHands(device)
        ? { placeId: null, templateId: null, sleepTemplateId: null }
        : {
            placeId: device.placeId,
            templateId: device.templateId,
            sleepTemplateId: device.sleepTemplateId,
          }),
      bound: boundAfter(device),
    }),
    log: (device) => {
      const isBound = boundAfter(device)
      const bindings =
        isBound === device.bound ? [] : [{ merchantId: target.id, action: isBound ? 'bound' : 'unbound' }]
      if (!changesHands(device)) return bindings
      const { merchantId, merchantName } = device
      const away =
        merchantId === null ? [] : [{ merchantId, action: 'movedAway', details: { merchant: merchantName } }]
      return [
        ...away,
        { merchantId: target.id, action: 'movedIn', details: { merchant: target.name } },
        ...bindings,
      ]
    },
  })
}

export const moveDevicesCalls: Call[] = [handle(moveDevices, move)]
