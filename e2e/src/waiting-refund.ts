import { callAs } from './demo-calls.ts'

/**
 * Applies for the refund of an order of the demo's merchant, so that one waits for its audit.
 * @param place of the order among the paid ones, newest first; tests that run beside each other take different ones
 * @returns the order's id
 */
export async function applyForRefund(url: string, place = 1): Promise<string> {
  const call = await callAs(url, 'merchant')
  const { list } = await call<{ list: { orderId: string }[] }>(
    'GET',
    `/api/orders?status=3&paychannel=wechatPay&pagesize=1&pagenum=${place}`,
  )
  const { orderId } = list[0] ?? { orderId: '' }
  await call('POST', `/api/orders/refund/${orderId}`, { remark: 'The chair was too loud' })
  return orderId
}
