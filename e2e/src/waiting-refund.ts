import type { PayChannel } from '@chairside/contract'
import { callAs } from './demo-calls.ts'

/**
 * Applies for the refund of an order of the demo's merchant, so that one waits for its audit.
 * @returns the order's id; nobody else has it
 */
export async function applyForRefund(url: string, channel: PayChannel = 'wechatPay'): Promise<string> {
  const call = await callAs(url, 'merchant')
  const refusals: unknown[] = []
  // At the beginning of a year there are none but the last year's.
  for (const orders of ['orders', 'history/orders']) {
    const { list } = await call<{ list: { orderId: string; finished: boolean }[] }>(
      'GET',
      `/api/${orders}?status=3&paychannel=${channel}&pagesize=30`,
    )
    for (const { orderId } of list.filter(({ finished }) => finished)) {
      try {
        await call('POST', `/api/orders/refund/${orderId}`, { remark: 'The chair was too loud' })
        return orderId
      } catch (error) {
        // Another test was faster.
        refusals.push(error)
      }
    }
  }
  throw new AggregateError(refusals, 'no order of the merchant can be refunded')
}
