import { deviceOrderPrefix, deviceStatuses, orderCan, startOrder, type RefusalOf } from '@chairside/contract'
import { requestStarts } from '../devices/device-commands.ts'
import { deviceForSale } from '../devices/device-for-sale.ts'
import { handle, type Call } from '../kit/call.ts'
import { sql, type Database } from '../kit/database.ts'
import { incomeKindOf, recordIncome } from '../money/income.ts'
import { transferOfPayment } from '../money/order-transfers.ts'
import { postTransfers } from '../money/post-transfers.ts'
import { changeStatuses, paid, unpaid, type OrderRecord } from './change-order-status.ts'
import { moneyOf } from './give-money-back.ts'
import { lockOrderWithin } from './order-within-scope.ts'
import { countCommands, isStarting } from './runs-sql.ts'
import { isChairTaken } from './sale-state.ts'

type StartRefusal = RefusalOf<typeof startOrder>

/** Seconds that were paid for and not delivered; a run that goes on has what is left of it. */
function secondsLeft(order: OrderRecord, now: Date): number {
  if (order.finishedAt !== null) return 0
  if (order.endsAt !== null) return Math.max(0, Math.ceil((order.endsAt.getTime() - now.getTime()) / 1000))
  return Math.max(0, order.durationMinutes * 60 - order.deliveredSeconds)
}

/** Cash was taken by the merchant: the order is booked at its price (decisions §4). */
async function bookAsManual(db: Database, order: OrderRecord, byWhom: string, now: Date): Promise<void> {
  await sql`
    update orders set pay_channel = 'manualStart', paid_at = ${now}
     where order_id = ${order.orderId} and order_time = ${order.orderTime}`.execute(db)
  await changeStatuses(db, [{ order, to: paid, cause: 'started by hand', byWhom }])
  if (order.feeCents === 0) return
  const booked = { ...order, payChannel: 'manualStart' as const }
  await postTransfers(db, [transferOfPayment(moneyOf(booked), `${order.orderId}:manual`, order.feeCents)])
  const kind = incomeKindOf(order.orderId, 'manualStart')
  const { merchantId, placeId, deviceId, feeCents: amountCents } = order
  await recordIncome(db, [{ merchantId, placeId, deviceId, kind, at: now, amountCents, count: 1 }])
}

/** Why a chair cannot be started for an order now. */
async function whyNot(
  db: Database,
  order: OrderRecord,
  now: Date,
  paymentWindowSeconds: number,
): Promise<StartRefusal | undefined> {
  const device = await deviceForSale(db, order.deviceSid)
  // A chair that went to somebody else runs no more for those who had it before.
  if (!device || device.id !== order.deviceId || device.holderId !== order.merchantId) return 'notPossible'
  // A chair that is not bound delivers what is paid, and sells nothing more.
  if (order.status === unpaid && device.merchantId === null) return 'notPossible'
  if (device.blocked) return 'deviceBlocked'
  if (device.locked > 0) return 'deviceLocked'
  if (device.status === deviceStatuses.offline) return 'deviceOffline'
  if (device.status === deviceStatuses.trouble) return 'deviceInTrouble'
  const { orderId, customerId } = order
  const isTaken =
    device.running ||
    (await isStarting(db, device.id, now)) ||
    (await isChairTaken(db, device.id, now, paymentWindowSeconds, { orderId, customerId }))
  if (isTaken) return 'deviceBusy'
  return device.resetting ? 'deviceResetting' : undefined
}

/** Remote start (spec 1 §6, decisions §4): sends the time not yet delivered. */
export const createStartOrderCall = (paymentWindowSeconds: number): Call =>
  handle(startOrder, async ({ db, scope, input, caller, now, refuse, audit }) => {
    const order = await lockOrderWithin(db, scope, input.orderId, { withChair: true })
    if (!order) return refuse('notFound')
    if (!order.orderId.startsWith(deviceOrderPrefix) || order.deviceId === null)
      return refuse('notADeviceOrder')
    if (!orderCan.start(order)) return refuse('notPossible')
    const durationSeconds = secondsLeft(order, now)
    if (durationSeconds === 0) return refuse('nothingLeftToDeliver')
    const refusal = await whyNot(db, order, now, paymentWindowSeconds)
    if (refusal) return refuse(refusal)

    const { userName } = caller()
    if (order.status === unpaid) await bookAsManual(db, order, userName, now)
    const { count } = await countCommands(db, order.orderId, 'start')
    const commandId = count === 0 ? order.orderId : `${order.orderId}-${count + 1}`
    await requestStarts(db, [
      { commandId, deviceId: order.deviceId, orderId: order.orderId, durationSeconds, requestedBy: userName },
    ])
    audit({ target: order.orderId, after: { commandId, durationSeconds } })
    return { orderId: order.orderId, commandId }
  })
