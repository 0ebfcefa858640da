import { listOrders, sumOrders } from '@chairside/contract'
import { platformYear } from '../kit/formats.ts'
import { OrderList } from './order-list.tsx'

/** `/orders` of merchants and `/agentorder` of agents and admins (spec 1 §2). */
export function OrdersPage() {
  return (
    <OrderList title="console.orders.title" list={listOrders} sum={sumOrders} newestYear={platformYear()} />
  )
}
