import { orderStatuses, type OrderRow } from '@chairside/contract'
import { useTexts } from '../kit/language.tsx'
import { StatusTag } from '../kit/status-tag.tsx'

/** The status of an order, and of one that is paid whether its time is up; beside a refund it would seem to end that. */
export function OrderStatusTag({ order }: { order: OrderRow }) {
  const say = useTexts()
  const tellsEnd = order.finished && order.status === orderStatuses.paid
  return (
    <>
      <StatusTag of="orders.status" value={order.status} />
      {tellsEnd && <span className="hint"> {say('console.orders.finished')}</span>}
    </>
  )
}
