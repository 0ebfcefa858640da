import { expect } from 'vitest'
import { storeAcknowledgement, storeEnd } from '../../devices/command-answers.ts'
import { chairEnded, commandAcknowledged, commandTimedOut } from '../../devices/command-events.ts'
import { requestStop } from '../../devices/device-commands.ts'
import { sql } from '../../kit/database.ts'
import { chairFailed, isTaken, liveStart } from './model.ts'
import { boughtSeconds, onOrder, type OrderWorld } from './world.ts'

/** Chairs start, do not start, stop, and come to their end. */
export function runningIn(world: OrderWorld) {
  const acknowledge = (pick: number, reason: '' | 'busy', times: number) =>
    onOrder(pick, async (order, model) => {
      // Also one that was given up before.
      const start = order.starts.at(-1)
      if (!start) return
      const event = {
        commandId: start.id,
        orderId: order.id,
        kind: 'start',
        accepted: reason === '',
        reason,
        at: new Date().toISOString(),
      }
      const isLate = start.state === 'dead' && start.isTimedOut === true && reason === ''
      if (start.state !== 'live' && !(isLate && order.status !== '7')) return
      const { commandId, accepted } = event
      await storeAcknowledgement(world.shop.db, {
        sid: world.sids[order.chair] ?? '',
        commandId,
        accepted,
        reason,
        at: new Date(),
      })
      for (let time = 0; time < times; time++) await world.runJob(commandAcknowledged, event)
      // One that came too late is stopped and changes nothing.
      if (isLate && (order.status === '8' || order.isFinished)) return
      if (!accepted) return chairFailed(order, start, model)
      start.state = 'accepted'
      if (order.status === '7' || order.status === '8') {
        order.wasStopped ||= !order.isRunning
        return
      }
      order.hasRun = true
      order.isRunning = true
      if (order.status === '3') order.status = '4'
    })

  const timeOut = (pick: number) =>
    onOrder(pick, async (order, model) => {
      const start = liveStart(order)
      if (!start) return
      await sql`update device_commands set state = 'timedOut' where id = ${start.id}`.execute(world.shop.db)
      await world.runJob(commandTimedOut, {
        commandId: start.id,
        orderId: order.id,
        kind: 'start',
        at: new Date().toISOString(),
      })
      start.isTimedOut = true
      chairFailed(order, start, model)
    })

  const stopChair = (pick: number) =>
    onOrder(pick, async (order) => {
      const start = order.starts.find(({ state }) => state === 'accepted')
      if (!start) return
      const stop = {
        commandId: `${start.id}-S1`,
        orderId: order.id,
        stops: start.id,
        requestedBy: 'customer',
      }
      await requestStop(world.shop.db, { ...stop, deviceId: world.deviceIds[order.chair] ?? 0 })
      order.wasStopped = true
    })

  const endRun = (pick: number, seconds: number, times: number) =>
    onOrder(pick, async (order) => {
      const start = order.starts.find(({ state }) => state === 'accepted')
      if (!start) return
      const delivered = Math.min(seconds, boughtSeconds - order.delivered)
      const at = new Date()
      await storeEnd(world.shop.db, {
        sid: world.sids[order.chair] ?? '',
        commandId: start.id,
        deliveredSeconds: delivered,
        at,
      })
      const event = {
        commandId: start.id,
        orderId: order.id,
        deliveredSeconds: delivered,
        at: at.toISOString(),
      }
      for (let time = 0; time < times; time++) await world.runJob(chairEnded, event)
      start.state = 'ended'
      order.hasRun = true
      order.isRunning = false
      order.delivered += delivered
      order.isFinished ||= order.wasStopped || order.delivered >= boughtSeconds - 30
      if (order.status === '4') order.status = '3'
    })

  const remoteStart = (pick: number) =>
    onOrder(pick, async (order, model) => {
      const body = await world.asked(`/api/orders/remote/${order.id}`, world.tokens.merchant)
      if (['2', '5', '7', '8'].includes(order.status)) return void expect(body.resultCode).toBe('105')
      if (order.isFinished) return void expect(body.message).toMatch(/delivered in full/)
      const others = { ...model, orders: model.orders.filter((other) => other !== order) }
      const isStarting = model.orders.some((other) => other.chair === order.chair && liveStart(other))
      const isBusy = isStarting || isTaken(others, order.chair, order.customer)
      if (isBusy) return void expect(body.message).toMatch(/in use/)
      expect(body.resultCode).toBe('000')
      if (order.status === '1') Object.assign(order, { status: '3', paidBy: 'manual' })
      const number = order.starts.length + 1
      const id = number === 1 ? order.id : `${order.id}-${number}`
      expect(body.data.commandId).toBe(id)
      // The run before it is over, though nobody said so.
      for (const start of order.starts) if (start.state === 'accepted') start.state = 'ended'
      order.starts.push({ id, state: 'live' })
    })

  return { acknowledge, timeOut, stopChair, endRun, remoteStart }
}
