import { sql, type Database } from '../kit/database.ts'
import { networkOfAddress } from '../kit/network-of-address.ts'
import { betweenTimesOf } from './change-order-status.ts'
import { timeOfOrderId } from './order-id.ts'

/*
 * An order that waits to be paid holds its chair, and nobody has to say who he is to place one. So that a single caller
 * cannot keep all chairs of a town from being sold, an address has few of them at once (docs/decisions/0268).
 */

/** Orders of one address that may wait to be paid at once; a whole mall may stand behind one. */
export const mostUnpaidOfAddress = 60
/** Addresses that are remembered; when there are more, those whose orders have ended are forgotten. */
const mostRemembered = 10_000

/** An order that is being placed, or was. */
export interface PlacedFromAddress {
  orderId: string | undefined
  /** Whether it is paid or not, it holds no chair after this. */
  untilMs: number
}

async function findUnpaid(db: Database, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
  const orders = orderIds.flatMap((orderId) => {
    const orderTime = timeOfOrderId(orderId)
    return orderTime ? [{ orderId, orderTime }] : []
  })
  if (orders.length === 0) return new Set()
  const { rows } = await sql<{ orderId: string }>`
    select o.order_id as "orderId" from orders o
     where o.order_id = any(${orders.map(({ orderId }) => orderId)}) and ${betweenTimesOf(orders)} and o.status = 1`.execute(
    db,
  )
  return new Set(rows.map(({ orderId }) => orderId))
}

/** Counts what each address has placed in this process; what became of it is asked only when that is much. */
export function createUnpaidLimit(windowSeconds: number, most = mostUnpaidOfAddress) {
  const placed = new Map<string, PlacedFromAddress[]>()

  const forget = (nowMs: number) => {
    for (const [network, orders] of placed)
      if (orders.every(({ untilMs }) => untilMs <= nowMs)) placed.delete(network)
  }
  const alive = (network: string, nowMs: number): PlacedFromAddress[] =>
    (placed.get(network) ?? []).filter(({ untilMs }) => untilMs > nowMs)

  /** Those of some orders that still wait, each once: a press that is repeated places nothing. */
  const stillWaiting = async (db: Database, orders: readonly PlacedFromAddress[]) => {
    const asked = new Set(orders.flatMap(({ orderId }) => orderId ?? []))
    const unpaid = await findUnpaid(db, [...asked])
    const seen = new Set<string>()
    return ({ orderId }: PlacedFromAddress): boolean => {
      if (orderId === undefined || !asked.has(orderId)) return true
      if (!unpaid.has(orderId) || seen.has(orderId)) return false
      seen.add(orderId)
      return true
    }
  }

  return {
    /** Takes a place for an order of an address; undefined when too many of it wait. */
    async take(db: Database, address: string, now: Date): Promise<PlacedFromAddress | undefined> {
      const network = networkOfAddress(address)
      const nowMs = now.getTime()
      let orders = alive(network, nowMs)
      if (orders.length >= most) {
        const waits = await stillWaiting(db, orders)
        // Others have come and gone in the meantime.
        orders = alive(network, nowMs).filter(waits)
        if (orders.length >= most) {
          placed.set(network, orders)
          return undefined
        }
      }
      const taken: PlacedFromAddress = { orderId: undefined, untilMs: nowMs + windowSeconds * 1000 }
      if (placed.size >= mostRemembered) forget(nowMs)
      placed.set(network, [...orders, taken])
      return taken
    },
    /** Gives a place back of which nothing came that waits. */
    leave(taken: PlacedFromAddress): void {
      taken.untilMs = 0
    },
  }
}

export type UnpaidLimit = ReturnType<typeof createUnpaidLimit>
