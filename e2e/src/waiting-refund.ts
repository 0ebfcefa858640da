interface Answer<Data> {
  success: boolean
  data: Data
}

async function call<Data>(url: string, body?: Record<string, string>, token = ''): Promise<Data> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-access-token': token },
    ...(body ? { body: new URLSearchParams(body) } : {}),
  })
  const { success, data } = (await response.json()) as Answer<Data>
  if (!success) throw new Error(`${url} was refused`)
  return data
}

/** Applies for the refund of an order of the demo's merchant, so that one waits for its audit. */
export async function applyForRefund(url: string): Promise<void> {
  const { token } = await call<{ token: string }>(`${url}/api/sessions/login`, {
    username: 'merchant',
    password: 'demo1234',
  })
  const { list } = await call<{ list: { orderId: string }[] }>(
    `${url}/api/orders?status=3&paychannel=wechatPay&pagesize=1`,
    undefined,
    token,
  )
  await call(`${url}/api/orders/refund/${list[0]?.orderId}`, { remark: 'The chair was too loud' }, token)
}
