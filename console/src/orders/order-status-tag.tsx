import type { OrderRow } from '@chairside/contract'
import { useTexts } from '../kit/language.tsx'
import { StatusTag } from '../kit/status-tag.tsx'

/** The status of an order, and whether its time is up. */
export function OrderStatusTag({ order }: { order: OrderRow }) {
  const say = useTexts()
  return (
    <>
      <StatusTag of="orders.status" value={order.status} />
      {order.finished && <span className="hint"> {say('console.orders.finished')}</span>}
    </>
  )
}
