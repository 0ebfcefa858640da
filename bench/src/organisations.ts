import { readData, signIn, type Caller } from './callers.ts'
import { createHttpClient } from './http-client.ts'
import { measureInTurn, type Timing } from './measure.ts'

const pageSize = 10
/** Part of a name that some of the made-up organisations have. */
const searchedName = '杭州'

export interface OrganisationResult {
  role: 'agent' | 'admin'
  what: string
  /** Rows that match. */
  total: number
  limit: Timing
  list: Timing
  /** Ten rows by their ids. */
  rows: Timing
}

/** What is asked of the lists of agents and merchants. */
const questions: readonly { what: string; path(lastPage: number): string }[] = [
  { what: 'all below, first page', path: () => '/api/merchants/user?pagesize=10&pagenum=1' },
  { what: 'all below, last page', path: (lastPage) => `/api/merchants/user?pagesize=10&pagenum=${lastPage}` },
  { what: 'right below, first page', path: () => '/api/agentmerchants?pagesize=10&pagenum=1' },
  {
    what: 'part of a name',
    path: () => `/api/merchants/user?pagesize=10&username=${encodeURIComponent(searchedName)}`,
  },
  { what: 'part of a user name', path: () => '/api/merchants/user?pagesize=10&userid=11' },
  { what: 'suggestions', path: () => '/api/merchants/userid?userid=11&type=A' },
]

/** The lists and searches of agents and merchants, of the largest agent and of the operator. */
export async function measureOrganisations(
  urls: { product: string; peer: string },
  callers: readonly Caller[],
  options: { rounds: number; say(text: string): void },
): Promise<OrganisationResult[]> {
  const product = createHttpClient(urls.product)
  const peer = createHttpClient(urls.peer)
  const results: OrganisationResult[] = []
  try {
    for (const { role, userName } of callers) {
      if (role === 'merchant') continue
      const token = await signIn(product, userName)
      const read = async (path: string) =>
        readData<{ total: number } | unknown[]>(await product.getBody(path, token))
      const totalOf = async (path: string) => {
        const data = await read(path)
        return Array.isArray(data) ? data.length : data.total
      }
      const firstPage = questions[0]?.path(1) ?? ''
      const all = await totalOf(firstPage)
      const { list } = readData<{ list: { id: number }[] }>(await product.getBody(firstPage, token))
      const tenRows = `/organisations?ids=${list.map(({ id }) => id).join()}`
      for (const { what, path } of questions) {
        const asked = path(Math.ceil(all / pageSize))
        const total = await totalOf(asked)
        if (total === 0) throw new Error(`${asked} finds nothing`)
        const timings = await measureInTurn(options.rounds, [
          { name: 'limit', callsPerRound: 80, call: () => peer.getBody('/limit') },
          { name: 'rows', callsPerRound: 80, call: () => peer.getBody(tenRows) },
          { name: 'list', callsPerRound: 80, call: () => product.getBody(asked, token) },
        ])
        results.push({ role, what, total, ...timings })
        options.say(
          `${role}, ${what}: limit ${timings.limit.p50Ms} ms, list ${timings.list.p50Ms}, ten rows ${timings.rows.p50Ms}`,
        )
      }
    }
    return results
  } finally {
    product.close()
    peer.close()
  }
}
