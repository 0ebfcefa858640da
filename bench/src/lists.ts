import { readData, signIn, type Caller } from './callers.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { measureInTurn, type Timing } from './measure.ts'
import { listedYear } from './prepare-data.ts'

const pageSize = 10
const middlePage = 1000

export interface ListResult {
  role: Caller['role']
  merchants: number
  orders: number
  page: number
  limit: Timing
  list: Timing
  sum: Timing
  peerList: Timing
  peerSum: Timing
}

interface Targets {
  product: HttpClient
  peer: HttpClient
  rounds: number
}

const peerQuery = ({ role, organisationId, from, before }: Caller) =>
  new URLSearchParams({ role, organisation: String(organisationId), from, before }).toString()

/** Both ways have to say the same before their speed is worth comparing. */
async function assertSameAnswers(
  targets: Targets,
  paths: Record<string, string>,
  token: Record<string, string>,
) {
  const { product, peer } = targets
  const ours = readData<{ list: { orderId: string }[]; total: number }>(
    await product.getBody(paths['list'] ?? '', token),
  )
  const plain = JSON.parse(await peer.getBody(paths['peerList'] ?? '')) as {
    list: { order_id: string }[]
    total: number
  }
  const sum = readData<number>(await product.getBody(paths['sum'] ?? '', token))
  const plainSum = JSON.parse(await peer.getBody(paths['peerSum'] ?? '')) as { sum: number }
  const ids = ours.list.map(({ orderId }) => orderId).join()
  const plainIds = plain.list.map(({ order_id: id }) => id).join()
  if (ids !== plainIds || ours.total !== plain.total || sum !== plainSum.sum || ours.list.length === 0)
    throw new Error(`${paths['list']} does not say what the plain query says`)
}

async function measurePage(targets: Targets, caller: Caller, page: number): Promise<ListResult> {
  const { product, peer, rounds } = targets
  const token = await signIn(product, caller.userName)
  const plain = peerQuery(caller)
  const paths = {
    list: `/api/orders?year=${listedYear}&pagesize=${pageSize}&pagenum=${page}`,
    sum: `/api/orders/sum?year=${listedYear}`,
    peerList: `/orders?${plain}&skip=${(page - 1) * pageSize}&take=${pageSize}`,
    peerSum: `/sum?${plain}`,
  }
  await assertSameAnswers(targets, paths, token)
  const timings = await measureInTurn(rounds, [
    { name: 'limit', callsPerRound: 80, call: () => peer.getBody('/limit') },
    { name: 'list', callsPerRound: 80, call: () => product.getBody(paths.list, token) },
    { name: 'sum', callsPerRound: 40, call: () => product.getBody(paths.sum, token) },
    { name: 'peerList', callsPerRound: 1, call: () => peer.getBody(paths.peerList) },
    { name: 'peerSum', callsPerRound: 1, call: () => peer.getBody(paths.peerSum) },
  ])
  const { role, merchants, orders } = caller
  return { role, merchants, orders, page, ...timings }
}

/** A server that runs for weeks has compiled what it does often; one that has just started is asked for so long first. */
const compilingMs = 15_000

async function untilCompiled(product: HttpClient, callers: readonly Caller[]): Promise<void> {
  const tokens = await Promise.all(callers.map(({ userName }) => signIn(product, userName)))
  const end = performance.now() + compilingMs
  while (performance.now() < end) {
    for (const token of tokens) {
      await product.getBody(`/api/orders?year=${listedYear}&pagesize=${pageSize}`, token)
      await product.getBody(`/api/orders/sum?year=${listedYear}`, token)
    }
  }
}

/** Order lists of a merchant, an agent and the operator: the first, the thousandth and the last page. */
export async function measureLists(
  urls: { product: string; peer: string },
  callers: readonly Caller[],
  options: { rounds: number; say(text: string): void },
): Promise<ListResult[]> {
  const targets = {
    product: createHttpClient(urls.product),
    peer: createHttpClient(urls.peer),
    rounds: options.rounds,
  }
  const results: ListResult[] = []
  try {
    await untilCompiled(targets.product, callers)
    for (const caller of callers) {
      const lastPage = Math.ceil(caller.orders / pageSize)
      for (const page of new Set([1, Math.min(middlePage, lastPage), lastPage])) {
        const result = await measurePage(targets, caller, page)
        results.push(result)
        const { limit, list, sum, peerList, peerSum } = result
        options.say(
          `${caller.role}, page ${page}: limit ${limit.p50Ms} ms, list ${list.p50Ms}, sum ${sum.p50Ms}, plain list ${peerList.p50Ms}, plain sum ${peerSum.p50Ms}`,
        )
      }
    }
    return results
  } finally {
    targets.product.close()
    targets.peer.close()
  }
}
