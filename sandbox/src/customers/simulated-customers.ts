/** People who scan, pay and sit, through the same calls a phone makes. */
export interface SimulatedCustomers {
  counts(): { placed: number; paid: number; refused: number }
  stop(): void
}

export interface SimulatedCustomersOptions {
  /** Address of the service. */
  url: string
  deviceIds: readonly string[]
  /** Pays an order at the played provider. */
  pay(outTradeNo: string): void
  /** Mean pause between two customers. */
  everyMs: number
}

interface Answer<Data> {
  success: boolean
  data: Data
}

async function call<Data>(
  url: string,
  path: string,
  cookie: string,
  body?: unknown,
): Promise<{ answer: Answer<Data>; cookie: string }> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      cookie,
      'accept-language': 'zh-CN',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  })
  const set = response.headers.getSetCookie().map((one) => one.split(';')[0])
  return { answer: (await response.json()) as Answer<Data>, cookie: set.length > 0 ? set.join('; ') : cookie }
}

const pick = <Item>(items: readonly Item[]): Item | undefined =>
  items[Math.floor(Math.random() * items.length)]
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Lets customers come at random; some change their mind before they pay. */
export function startSimulatedCustomers(options: SimulatedCustomersOptions): SimulatedCustomers {
  const counts = { placed: 0, paid: 0, refused: 0 }
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const visit = async () => {
    const deviceId = pick(options.deviceIds)
    if (deviceId === undefined) return
    const page = await call<{ state: string; goods: { id: number; instock: number }[] }>(
      options.url,
      `/api/pay/devices/${deviceId}`,
      '',
    )
    const goods = pick(page.answer.data?.goods ?? [])
    if (page.answer.data?.state !== 'ready' || !goods) return
    const wanted = { deviceId, goodsId: goods.id, payWay: 'native', requestKey: crypto.randomUUID() }
    const placed = await call<{ order: { orderId: string } }>(
      options.url,
      '/api/pay/orders',
      page.cookie,
      wanted,
    )
    if (!placed.answer.success) {
      counts.refused++
      return
    }
    counts.placed++
    await pause(1500 + Math.random() * 6000)
    if (stopped || Math.random() < 0.06) return
    options.pay(`${placed.answer.data.order.orderId}01`)
    counts.paid++
  }
  const next = () => {
    if (stopped) return
    timer = setTimeout(
      () => {
        // A visit that fails is one customer less; the service says so in its own log.
        visit().catch(() => counts.refused++)
        next()
      },
      options.everyMs * (0.4 + Math.random() * 1.2),
    )
  }
  next()
  return {
    counts: () => ({ ...counts }),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
