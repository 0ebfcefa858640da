/** People who scan, pay and sit while servers come and go: a press that was not answered is repeated, as a phone does. */
export interface StubbornCustomers {
  /** Orders that were answered as placed. */
  placed: Set<string>
  /** Ends when the last of them has gone. */
  stop(): Promise<void>
}

export interface StubbornCustomersOptions {
  urls: readonly string[]
  deviceIds: readonly string[]
  /** @throws when the order cannot be paid any more */
  pay(outTradeNo: string): void
  /** At a time. */
  customers: number
}

interface Answer<Data> {
  success: boolean
  data: Data
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const pick = <Item>(items: readonly Item[]): Item | undefined =>
  items[Math.floor(Math.random() * items.length)]

/** Each request from an address of its own, so that no limit of calls is met. */
const anyAddress = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`

export function startStubbornCustomers(options: StubbornCustomersOptions): StubbornCustomers {
  const placed = new Set<string>()
  const ending = new AbortController()

  /** Asks whichever server answers, until one does. */
  async function ask<Data>(
    path: string,
    cookie: string,
    body?: object,
  ): Promise<{ answer: Answer<Data>; cookie: string }> {
    for (;;) {
      try {
        const response = await fetch(pick(options.urls) + path, {
          method: body ? 'POST' : 'GET',
          headers: {
            cookie,
            'x-forwarded-for': anyAddress(),
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
          signal: AbortSignal.timeout(5000),
        })
        const set = response.headers.getSetCookie().map((one) => one.split(';')[0])
        return { answer: (await response.json()) as Answer<Data>, cookie: set.join('; ') || cookie }
      } catch {
        await pause(50)
      }
    }
  }

  const visit = async () => {
    const deviceId = pick(options.deviceIds) ?? ''
    const page = await ask<{ state: string; goods: { id: number }[] }>(`/api/pay/devices/${deviceId}`, '')
    const goods = pick(page.answer.data?.goods ?? [])
    if (page.answer.data?.state !== 'ready' || !goods) return
    const requestKey = crypto.randomUUID()
    const wanted = { deviceId, goodsId: goods.id, payWay: 'native', requestKey }
    const { answer } = await ask<{ order: { orderId: string } }>('/api/pay/orders', page.cookie, wanted)
    if (!answer.success) return
    const { orderId } = answer.data.order
    placed.add(orderId)
    await pause(Math.random() * 300)
    // Some change their mind.
    if (Math.random() < 0.95) options.pay(`${orderId}01`)
    else await ask(`/api/pay/orders/${orderId}/cancel`, page.cookie, {})
  }
  const come = async () => {
    while (!ending.signal.aborted) {
      await visit().catch(() => undefined)
      await pause(Math.random() * 200)
    }
  }
  const all = Array.from({ length: options.customers }, come)
  return {
    placed,
    async stop() {
      ending.abort()
      await Promise.all(all)
    },
  }
}
