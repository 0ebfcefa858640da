import { readData, signIn, type Caller } from './callers.ts'
import type { DirectusServer } from './directus-server.ts'
import { createHttpClient } from './http-client.ts'
import { measureInTurn, type Timing } from './measure.ts'
import { listedYear } from './prepare-data.ts'

const pageSize = 10

export interface DirectusResult {
  /** Orders of the merchant in the listed year. */
  orders: number
  page: number
  list: Timing
  sum: Timing
  directusList: Timing
  directusSum: Timing
}

const fields = [
  'order_id',
  'order_time',
  'status',
  'merchant_name',
  'device_sid',
  'goods_name',
  'address',
  'duration_minutes',
  'fee_cents',
  'actual_cents',
  'pay_channel',
  'transaction_id',
  'channel_account',
]

/** What Directus is asked for the same page with its total, and for the sum. */
function directusPaths({ organisationId, from, before }: Caller, page: number) {
  const filter = JSON.stringify({
    _and: [
      { merchant_id: { _eq: organisationId } },
      { order_time: { _gte: from } },
      { order_time: { _lt: before } },
    ],
  })
  const list = new URLSearchParams({
    filter,
    fields: fields.join(),
    sort: '-order_time,-order_id',
    limit: String(pageSize),
    page: String(page),
    meta: 'filter_count',
  })
  const sum = new URLSearchParams({ filter, 'aggregate[sum]': 'actual_cents' })
  return { list: `/items/orders?${list}`, sum: `/items/orders?${sum}` }
}

/** The list of the largest merchant, page by page, and its sum, beside Directus on the same orders. */
export async function measureDirectus(
  productUrl: string,
  directus: DirectusServer,
  merchant: Caller,
  options: { rounds: number; say(text: string): void },
): Promise<DirectusResult[]> {
  const product = createHttpClient(productUrl)
  const peer = createHttpClient(directus.url)
  const results: DirectusResult[] = []
  try {
    const token = await signIn(product, merchant.userName)
    const { data: session } = JSON.parse(await peer.postJson('/auth/login', directus.login)) as {
      data: { access_token: string }
    }
    const bearer = { authorization: `Bearer ${session.access_token}` }
    const lastPage = Math.ceil(merchant.orders / pageSize)
    for (const page of [1, Math.ceil(lastPage / 2), lastPage]) {
      const ours = {
        list: `/api/orders?year=${listedYear}&pagesize=${pageSize}&pagenum=${page}`,
        sum: `/api/orders/sum?year=${listedYear}`,
      }
      const theirs = directusPaths(merchant, page)
      const [list, sum] = [await product.getBody(ours.list, token), await product.getBody(ours.sum, token)]
      const [peerList, peerSum] = [
        await peer.getBody(theirs.list, bearer),
        await peer.getBody(theirs.sum, bearer),
      ]
      assertSame(readData(list), readData(sum), JSON.parse(peerList), JSON.parse(peerSum))
      const timings = await measureInTurn(options.rounds, [
        { name: 'list', callsPerRound: 20, call: () => product.getBody(ours.list, token) },
        { name: 'sum', callsPerRound: 10, call: () => product.getBody(ours.sum, token) },
        { name: 'directusList', callsPerRound: 1, call: () => peer.getBody(theirs.list, bearer) },
        { name: 'directusSum', callsPerRound: 1, call: () => peer.getBody(theirs.sum, bearer) },
      ])
      results.push({ orders: merchant.orders, page, ...timings })
      options.say(
        `page ${page}: list ${timings.list.p50Ms} ms, sum ${timings.sum.p50Ms}, Directus ${timings.directusList.p50Ms} and ${timings.directusSum.p50Ms}`,
      )
    }
    return results
  } finally {
    product.close()
    peer.close()
  }
}

/** Both have to say the same before their speed is worth comparing. */
function assertSame(
  ours: { list: { orderId: string }[]; total: number },
  sum: number,
  theirs: { data: { order_id: string }[]; meta: { filter_count: number } },
  theirSum: { data: { sum: { actual_cents: string } }[] },
): void {
  const ids = ours.list.map(({ orderId }) => orderId).join()
  const same =
    ids !== '' &&
    ids === theirs.data.map(({ order_id: id }) => id).join() &&
    ours.total === Number(theirs.meta.filter_count) &&
    sum === Number(theirSum.data[0]?.sum.actual_cents)
  if (!same) throw new Error('Directus does not say what the list says')
}
