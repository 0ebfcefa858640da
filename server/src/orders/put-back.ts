import { returnToStock } from '../catalogue/goods-on-offer.ts'
import type { Database } from '../kit/database.ts'
import type { OrderRecord } from './change-order-status.ts'

/** Puts back on the shelf what orders took from it that are not used after all. */
export function putBack(
  db: Database,
  orders: readonly Pick<OrderRecord, 'goodsId' | 'tookStock'>[],
): Promise<void> {
  return returnToStock(
    db,
    orders.flatMap(({ goodsId, tookStock }) => (tookStock && goodsId !== null ? [goodsId] : [])),
  )
}
