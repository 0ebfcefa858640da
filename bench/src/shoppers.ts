import { setTimeout as sleep } from 'node:timers/promises'

/* People who stand before a chair and place an order; whichever server answers is asked, until one does. */

interface Answer<Data> {
  success: boolean
  message: string
  data: Data
}

const atOnce = 24
const patienceMs = 120_000
const mostTries = 10
const longestResetMs = 60_000
const pick = <Item>(items: readonly Item[]): Item | undefined =>
  items[Math.floor(Math.random() * items.length)]

/** Each from an address of its own, as the proxy would tell it, so that no limit of calls is met. */
const anyAddress = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`

async function ask<Data>(urls: readonly string[], path: string, cookie: string, body?: object) {
  for (const end = performance.now() + patienceMs; performance.now() < end;) {
    try {
      const response = await fetch(pick(urls) + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          cookie,
          'x-forwarded-for': anyAddress(),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(20_000),
      })
      const set = response.headers.getSetCookie().map((one) => one.split(';')[0])
      return { answer: (await response.json()) as Answer<Data>, cookie: set.join('; ') || cookie }
    } catch {
      await sleep(100)
    }
  }
  throw new Error(`no server answered ${path}`)
}

/** What a chair offers; one that goes back to where it began after a run is free a moment later. */
async function pageOf(urls: readonly string[], deviceId: string) {
  const end = Date.now() + longestResetMs
  for (;;) {
    const page = await ask<{ state: string; goods: { id: number }[] }>(
      urls,
      `/api/pay/devices/${deviceId}`,
      '',
    )
    if (page.answer.data?.state !== 'busy' || Date.now() > end) return page
    await sleep(1000)
  }
}

async function placeOne(urls: readonly string[], deviceId: string): Promise<string> {
  const page = await pageOf(urls, deviceId)
  const goods = page.answer.data?.goods[0]
  if (page.answer.data?.state !== 'ready' || !goods)
    throw new Error(`chair ${deviceId} is ${page.answer.data?.state ?? page.answer.message}`)
  const wanted = { deviceId, goodsId: goods.id, payWay: 'native', requestKey: crypto.randomUUID() }
  // Who is told to try again does, with the same key; pressing twice places no second order.
  for (let tries = 1; ; tries++) {
    const { answer } = await ask<{ order: { orderId: string } }>(urls, '/api/pay/orders', page.cookie, wanted)
    if (answer.success) return answer.data.order.orderId
    if (tries === mostTries) throw new Error(`no order for chair ${deviceId}: ${answer.message}`)
    await sleep(1000)
  }
}

/** Places an order on each of these chairs. @returns the orders, in any order */
export async function placeOrders(urls: readonly string[], deviceIds: readonly string[]): Promise<string[]> {
  const placed: string[] = []
  const waiting = deviceIds.values()
  const place = async () => {
    for (const deviceId of waiting) placed.push(await placeOne(urls, deviceId))
  }
  await Promise.all(Array.from({ length: atOnce }, place))
  return placed
}
