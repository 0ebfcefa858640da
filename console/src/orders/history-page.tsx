import { listHistoryOrders, sumHistoryOrders } from '@chairside/contract'
import { historyFilters } from './order-filters.ts'
import { OrderList } from './order-list.tsx'

/** `/historyorder` (spec 1 §2). */
export function HistoryPage() {
  return (
    <OrderList
      title="console.orders.historyTitle"
      list={listHistoryOrders}
      sum={sumHistoryOrders}
      filters={historyFilters}
    />
  )
}
