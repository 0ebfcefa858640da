import { deviceStatuses, workDevices, workOperations, type CommandRefusal } from '@chairside/contract'
import { commandBoards, type BoardCommand } from '../devices/command-boards.ts'
import { requestStarts, requestStops } from '../devices/device-commands.ts'
import type { DeviceToCommand } from '../devices/devices-to-command-sql.ts'
import { handleOutside, type Call } from '../kit/call.ts'
import { sql, type Database } from '../kit/database.ts'
import { changeStatuses, paid, unpaid, type OrderRecord } from './change-order-status.ts'
import { newOrderId } from './order-id.ts'
import { findLastStart, nextStopOf } from './runs-sql.ts'
import { isChairTaken } from './sale-state.ts'

/** Why a chair cannot be started for nothing now. */
async function whyNotStart(
  db: Database,
  device: DeviceToCommand,
  now: Date,
  paymentWindowSeconds: number,
): Promise<CommandRefusal | undefined> {
  if (device.merchantId === null) return 'deviceUnassigned'
  if (device.blocked) return 'deviceBlocked'
  if (device.locked > 0) return 'deviceLocked'
  if (device.status === deviceStatuses.offline) return 'deviceOffline'
  if (device.status === deviceStatuses.trouble) return 'deviceInTrouble'
  const isTaken =
    device.runningCommandId !== null ||
    (await findLastStart(db, device.id)) !== undefined ||
    (await isChairTaken(db, device.id, now, paymentWindowSeconds, { customerId: null }))
  if (isTaken) return 'deviceBusy'
  return device.isResetting ? 'deviceResetting' : undefined
}

type GivenOrder = Pick<OrderRecord, 'orderId' | 'orderTime' | 'merchantId' | 'status'> & {
  deviceId: number
  deviceSid: string
  placeId: number | null
  address: string
}

/** Orders of price 0 by which chairs are started from the device list (decisions §4): no money moves. */
async function giveOrders(
  db: Database,
  devices: readonly DeviceToCommand[],
  { minutes, byWhom, now }: { minutes: number; byWhom: string; now: Date },
): Promise<GivenOrder[]> {
  const orders = devices.flatMap((device, index): GivenOrder[] => {
    if (device.merchantId === null) return []
    // An id tells its time to the millisecond: each has one of its own.
    const orderTime = new Date(now.getTime() - index)
    const { id: deviceId, sid: deviceSid, merchantId, placeId, placeAddress: address } = device
    const orderId = newOrderId('KT', orderTime)
    return [{ orderId, orderTime, merchantId, status: unpaid, deviceId, deviceSid, placeId, address }]
  })
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as g (
        "orderId" text, "orderTime" timestamptz, "merchantId" bigint, "deviceId" bigint, "deviceSid" text, "placeId" bigint, address text)),
    placed as (
      insert into orders (order_id, order_time, merchant_id, place_id, device_id, device_sid, address, duration_minutes, fee_cents,
                          status, pay_channel, paid_at)
      select "orderId", "orderTime", "merchantId", "placeId", "deviceId", "deviceSid", address, ${minutes}::integer, 0, 1, 'manualStart',
             ${now}::timestamptz from given)
    insert into order_history (order_id, order_time, merchant_id, at, to_status, cause, by_whom)
    select "orderId", "orderTime", "merchantId", ${now}::timestamptz, 1, 'placed', ${byWhom} from given`.execute(
    db,
  )
  await changeStatuses(
    db,
    orders.map((order) => ({ order, to: paid, cause: 'started by hand', byWhom })),
  )
  return orders
}

const startFor = (minutes: number, now: Date, paymentWindowSeconds: number): BoardCommand => ({
  judge: (db, device) => whyNotStart(db, device, now, paymentWindowSeconds),
  send: async (db, devices, { userName: requestedBy }) => {
    const orders = await giveOrders(db, devices, { minutes, byWhom: requestedBy, now })
    const durationSeconds = minutes * 60
    await requestStarts(
      db,
      orders.map(({ orderId, deviceId }) => ({
        commandId: orderId,
        deviceId,
        orderId,
        durationSeconds,
        requestedBy,
        isWaitedFor: true,
      })),
    )
    return orders.map(({ orderId }) => orderId)
  },
  log: (_device, orderId) => ({ action: 'started', details: { minutes: String(minutes), orderId } }),
  after: { operation: 'start', minutes },
})

const stop: BoardCommand = {
  judge: async (db, { id, status, runningCommandId, isControllable }) => {
    if (!isControllable) return 'deviceNotControllable'
    if (status === deviceStatuses.offline) return 'deviceOffline'
    return runningCommandId === null && !(await findLastStart(db, id)) ? 'deviceNotRunning' : undefined
  },
  send: async (db, devices, { userName: requestedBy }) => {
    const stops = []
    for (const { id: deviceId, runningCommandId } of devices) {
      const started = await findLastStart(db, deviceId)
      // What runs on the chair by its own word comes before what we last asked of it.
      const run = runningCommandId ?? started?.commandId ?? ''
      const orderId = started?.commandId === run ? started.orderId : null
      const commandId = await nextStopOf(db, deviceId, run)
      stops.push({ commandId, deviceId, orderId, stops: run, requestedBy, isWaitedFor: true })
    }
    await requestStops(db, stops)
    return stops.map(({ commandId }) => commandId)
  },
  log: () => ({ action: 'stopped' }),
  after: { operation: 'stop' },
}

/** Start and stop from the device list (spec 2 §4). */
export const createWorkCalls = (paymentWindowSeconds: number): Call[] => [
  handleOutside(workDevices, (context) => {
    const { input, now, refuseField } = context
    const isStart = input.operation === workOperations.start
    if (input.startup !== undefined && (input.startup === 'on') !== isStart)
      refuseField('startup', 'validation.startupContradicts')
    if (isStart && input.duration === undefined) refuseField('duration', 'validation.required')
    const minutes = input.duration ?? 0
    if (isStart && minutes === 0) refuseField('duration', 'validation.tooSmall', { min: 1 })
    const { deviceid, deviceIds = [] } = input
    const wanted = deviceid === undefined ? deviceIds : [deviceid, ...deviceIds]
    return commandBoards(context, wanted, isStart ? startFor(minutes, now, paymentWindowSeconds) : stop)
  }),
]
