import type { PayChannel } from '@chairside/contract'
import { mobileOf } from './mobile-of.ts'
import { auditRemarks, refundReasons, refusalRemarks } from './names.ts'
import type { DemoDevice, DemoGoods, DemoMember, DemoNetwork, DemoPlace } from './network.ts'
import { cumulate, type SeededRandom } from './seeded-random.ts'

/** An order of the past as the generator tells it, before it is written to any table. */
export interface MadeOrder {
  orderId: string
  time: Date
  device: DemoDevice | null
  merchantId: number
  place: DemoPlace | null
  goods: DemoGoods | null
  member: DemoMember | null
  status: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  channel: PayChannel | null
  feeCents: number
  refundedCents: number
  minutes: number
  paidAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  /** Of a member, or left by who asked for money back; empty where nobody left one. */
  phone: string
  refund: MadeRefund | null
}

export interface MadeRefund {
  status: 0 | 1 | 2 | 3 | 4 | 5 | 6
  appliedAt: Date
  auditedAt: Date | null
  settledAt: Date | null
  content: string
  remark: string
  reason: string
}

const dayMs = 86_400_000

/** Uses by hour of the local day, from midnight: quiet nights, a lunch hump, a long evening. */
const hourWeights = [
  1, 0.6, 0.4, 0.3, 0.3, 0.5, 1, 2, 4, 6, 8, 10, 13, 12, 10, 9, 9, 10, 12, 14, 14, 11, 7, 3,
]
/** From Sunday: weekends are busy. */
const weekdayWeights = [1.45, 0.85, 0.8, 0.82, 0.9, 1.1, 1.5]

/** Busy in summer holidays and around the spring festival, and growing over the years. */
function dayWeight(day: Date, from: Date): number {
  const month = day.getUTCMonth()
  const season = [1.15, 1.3, 0.9, 0.92, 1.05, 0.98, 1.2, 1.22, 0.95, 1.15, 0.9, 1][month] ?? 1
  const growth = 1 + ((day.getTime() - from.getTime()) / (365 * dayMs)) * 0.35
  return season * growth * (weekdayWeights[day.getUTCDay()] ?? 1)
}

const base36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Prefix, UTC time to the millisecond, and four letters or digits (decisions §4). */
function orderIdOf(prefix: string, time: Date, random: SeededRandom): string {
  const digits = time.toISOString().replace(/\D/g, '').slice(2)
  const suffix = Array.from({ length: 4 }, () => base36[random.between(0, 35)]).join('')
  return `${prefix}${digits}${suffix}`
}

export interface HistoryWanted {
  orders: number
  from: Date
  /** The present: nothing is made after it. */
  until: Date
  /** Hours the platform's time zone is ahead of UTC. */
  zoneHours: number
}

/** Tells the orders of a network in the order of their time. */
export function* makeOrders(
  random: SeededRandom,
  network: DemoNetwork,
  wanted: HistoryWanted,
): Generator<MadeOrder> {
  const usable = network.devices.filter(
    (device) => device.merchantId !== null && device.placeId !== null && device.templateId !== null,
  )
  const cumulativeDevices = cumulate(usable.map(({ weight }) => weight))
  const cumulativeHours = cumulate(hourWeights)
  const goodsOfTemplate = Map.groupBy(network.goods, ({ templateId }) => templateId)
  const placeOf = new Map(network.places.map((place) => [place.id, place]))
  const membersOf = Map.groupBy(network.members, ({ merchantId }) => merchantId)

  const days: Date[] = []
  for (let day = wanted.from.getTime(); day <= wanted.until.getTime(); day += dayMs) days.push(new Date(day))
  const weights = days.map((day) => dayWeight(day, wanted.from))
  const perWeight = wanted.orders / weights.reduce((sum, weight) => sum + weight, 0)

  for (const [index, day] of days.entries()) {
    const count = Math.round((weights[index] ?? 0) * perWeight * (0.92 + random.next() * 0.16))
    const times = Array.from({ length: count }, () => {
      const hour = random.weighted(cumulativeHours)
      return day.getTime() - wanted.zoneHours * 3_600_000 + hour * 3_600_000 + random.between(0, 3_599_999)
    }).toSorted((one, other) => one - other)
    for (const timeMs of times) {
      // The last two hours belong to live traffic.
      if (timeMs > wanted.until.getTime() - 2 * 3_600_000) break
      const device = usable[random.weighted(cumulativeDevices)]
      if (!device || device.merchantId === null) continue
      const members = membersOf.get(device.merchantId)
      const time = new Date(timeMs)
      if (members && random.chance(0.02))
        yield makeRecharge(random, device.merchantId, random.pick(members), time)
      else {
        const goods = random.pick(goodsOfTemplate.get(device.templateId ?? 0) ?? [])
        yield makeUse(random, {
          device,
          goods,
          place: placeOf.get(device.placeId ?? 0) ?? null,
          time,
          until: wanted.until,
        })
      }
    }
  }
}

function makeRecharge(random: SeededRandom, merchantId: number, member: DemoMember, time: Date): MadeOrder {
  return {
    orderId: orderIdOf('CZ', time, random),
    time,
    device: null,
    merchantId,
    place: null,
    goods: null,
    member,
    status: 3,
    channel: 'wechatPay',
    feeCents: random.pick([5000, 10_000, 20_000]),
    refundedCents: 0,
    minutes: 0,
    paidAt: new Date(time.getTime() + random.between(4000, 40_000)),
    startedAt: null,
    finishedAt: null,
    phone: member.mobile,
    refund: null,
  }
}

interface Use {
  device: DemoDevice
  goods: DemoGoods
  place: DemoPlace | null
  time: Date
  until: Date
}

function makeUse(random: SeededRandom, { device, goods, place, time, until }: Use): MadeOrder {
  const order: MadeOrder = {
    orderId: orderIdOf('KT', time, random),
    time,
    device,
    merchantId: goods.merchantId,
    place,
    goods,
    member: null,
    status: 2,
    channel: null,
    feeCents: goods.priceCents,
    refundedCents: 0,
    minutes: goods.durationMinutes,
    paidAt: null,
    startedAt: null,
    finishedAt: null,
    phone: '',
    refund: null,
  }
  if (random.chance(0.07)) return order
  const channel = random.next()
  order.channel = channel < 0.93 ? 'wechatPay' : channel < 0.975 ? 'manualStart' : 'externalStart'
  order.status = 3
  order.paidAt = new Date(time.getTime() + random.between(4000, 50_000))
  const startedAt = new Date(order.paidAt.getTime() + random.between(700, 3000))
  const neverStarted = random.chance(0.008) && order.channel === 'wechatPay'
  if (neverStarted) {
    order.status = 8
    order.refundedCents = order.feeCents
    return order
  }
  order.startedAt = startedAt
  order.finishedAt = new Date(startedAt.getTime() + order.minutes * 60_000)
  if (random.chance(0.035)) applyForRefund(random, order, until)
  return order
}

/** How often who asks for money back leaves a number to be called at. */
const leavesPhone = 0.6

/** A refund asked for after the use, with the outcome its age allows. */
function applyForRefund(random: SeededRandom, order: MadeOrder, until: Date): void {
  const finished = order.finishedAt ?? order.time
  const appliedAt = new Date(finished.getTime() + random.between(60_000, 20 * 3_600_000))
  if (appliedAt >= until) return
  const refund: MadeRefund = {
    status: 5,
    appliedAt,
    auditedAt: null,
    settledAt: null,
    content: random.pick(refundReasons),
    remark: '',
    reason: '',
  }
  order.refund = refund
  order.status = 5
  if (random.chance(leavesPhone)) order.phone = mobileOf(random)
  const auditedAt = new Date(appliedAt.getTime() + random.between(600_000, 40 * 3_600_000))
  if (auditedAt >= until) return
  refund.auditedAt = auditedAt
  const decision = random.next()
  if (decision < 0.12) {
    Object.assign(refund, { status: 2, remark: random.pick(refusalRemarks) })
    order.status = 6
    return
  }
  refund.remark = random.pick(auditRemarks)
  if (order.channel !== 'wechatPay' || decision < 0.17) {
    Object.assign(refund, { status: 3, settledAt: auditedAt })
    order.status = 8
    order.refundedCents = order.feeCents
    return
  }
  if (decision < 0.21) {
    Object.assign(refund, { status: decision < 0.19 ? 0 : 4, reason: 'USER_ACCOUNT_ABNORMAL' })
    order.status = 9
    return
  }
  const settledAt = new Date(auditedAt.getTime() + random.between(5000, 600_000))
  if (settledAt >= until) {
    refund.status = 6
    order.status = 7
    return
  }
  Object.assign(refund, { status: 1, settledAt })
  order.status = 8
  order.refundedCents = order.feeCents
}
