interface KnownOrder {
  outTradeNo: string
  state: string
  expiresAt: number
  amountCents: number
  refundedCents: number
}
interface KnownRefund {
  outRefundNo: string
  outTradeNo: string
  status: string
}

/** What is left when something has to be forgotten: not each new order makes all be gone through. */
const keptPart = 0.9
/** How long after its time somebody may ask how an order ended that was not paid. */
const askedAfterMs = 86_400_000

/**
 * Forgets the oldest orders with their refunds, so that a demo may run for as long as it likes: first those with which
 * nothing can be done any more, then paid ones, as WeChat refuses their refunds after a year. What waits for its payment
 * or has a refund on its way is kept.
 */
export function forgetOld(
  orders: Map<string, KnownOrder>,
  refunds: Map<string, KnownRefund>,
  mostOrders: number,
  nowMs: number,
): void {
  const refundsOf = Map.groupBy(refunds.values(), ({ outTradeNo }) => outTradeNo)
  const isUnderWay = ({ outTradeNo, state, expiresAt }: KnownOrder) =>
    (state === 'NOTPAY' && expiresAt + askedAfterMs > nowMs) ||
    (refundsOf.get(outTradeNo) ?? []).some(({ status }) => status === 'PROCESSING')
  const isOver = ({ state, amountCents, refundedCents }: KnownOrder) =>
    state === 'CLOSED' || state === 'NOTPAY' || refundedCents >= amountCents

  const past = [...orders.values()].filter((order) => !isUnderWay(order))
  const oldestFirst = [...past.filter(isOver), ...past.filter((order) => !isOver(order))]
  const many = Math.max(0, orders.size - Math.floor(mostOrders * keptPart))
  for (const { outTradeNo } of oldestFirst.slice(0, many)) {
    orders.delete(outTradeNo)
    for (const { outRefundNo } of refundsOf.get(outTradeNo) ?? []) refunds.delete(outRefundNo)
  }
}
