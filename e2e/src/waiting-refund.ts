import { callAs } from './demo-calls.ts'

/** Applies for the refund of an order of the demo's merchant, so that one waits for its audit. */
export async function applyForRefund(url: string): Promise<void> {
  const call = await callAs(url, 'merchant')
  const { list } = await call<{ list: { orderId: string }[] }>(
    'GET',
    '/api/orders?status=3&paychannel=wechatPay&pagesize=1',
  )
  await call('POST', `/api/orders/refund/${list[0]?.orderId}`, { remark: 'The chair was too loud' })
}
