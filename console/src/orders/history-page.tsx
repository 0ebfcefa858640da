import { listHistoryOrders, sumHistoryOrders } from '@chairside/contract'
import { platformYear } from '../kit/formats.ts'
import { OrderList } from './order-list.tsx'

/** `/historyorder`: the year selector runs from last year down to 2018 (spec 1 §2). */
export function HistoryPage() {
  return (
    <OrderList
      title="console.orders.historyTitle"
      list={listHistoryOrders}
      sum={sumHistoryOrders}
      newestYear={platformYear() - 1}
    />
  )
}
