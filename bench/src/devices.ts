import type { DeviceRow } from '@chairside/contract'
import { readData, signIn, type Caller } from './callers.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { measureInTurn, type Timing } from './measure.ts'

const pageSize = 10

export interface DeviceListResult {
  role: Caller['role']
  /** The filter, in words. */
  what: string
  /** Devices that match. */
  total: number
  limit: Timing
  first: Timing
  middle: Timing
  last: Timing
}

interface Page {
  list: DeviceRow[]
  total: number
}
type Ask = (filter: string, pagenum?: number) => Promise<Page>

interface Question {
  what: string
  filter: string
}

/** What can be asked for is taken from a device in the middle of the caller's own list, so that each question finds some. */
async function questionsOf(ask: Ask, role: Caller['role']): Promise<Question[]> {
  const { total } = await ask('')
  const middle = Math.ceil(total / pageSize / 2)
  const { list } = await ask('associated=1&sleepmode=true', 1)
  const device = list[0] ?? (await ask('', middle)).list[0]
  if (!device) throw new Error('there are no devices')
  const ofAnyRole: Question[] = [
    { what: 'nothing', filter: '' },
    { what: 'a device id', filter: `deviceid=${device.deviceId}` },
    { what: 'the beginning of a device id', filter: `deviceid=${device.deviceId.slice(0, 3)}` },
    { what: 'model', filter: `modelid=${device.modelId}` },
    { what: 'place', filter: `placeid=${device.placeId}` },
    { what: 'template', filter: `templateid=${device.templateId}` },
    { what: 'online on wifi', filter: 'status=1' },
    { what: 'in trouble', filter: 'status=3' },
    { what: 'not locked', filter: 'locked=0' },
    { what: 'locked by an admin', filter: 'locked=2' },
    { what: 'able to sell', filter: 'associated=1' },
    { what: 'unable to sell', filter: 'associated=2' },
    { what: 'with sleep mode', filter: 'sleepmode=true' },
    { what: 'model, online, not locked', filter: `modelid=${device.modelId}&status=1&locked=0` },
  ]
  if (role === 'merchant') return ofAnyRole
  const organisations = [
    { what: 'merchant', filter: `merchantid=${device.merchantId}` },
    ...(device.agentId === null ? [] : [{ what: 'agent', filter: `agentId=${device.agentId}` }]),
  ]
  if (role === 'agent') return [...ofAnyRole, ...organisations]
  return [...ofAnyRole, ...organisations, { what: 'new, of nobody', filter: 'merchantid=0' }]
}

async function measureQuestion(
  clients: { product: HttpClient; peer: HttpClient },
  token: Record<string, string>,
  { filter, total, rounds }: { filter: string; total: number; rounds: number },
) {
  const { product, peer } = clients
  const lastPage = Math.ceil(total / pageSize)
  const page = (pagenum: number) => () =>
    product.getBody(`/api/devices?pagesize=${pageSize}&pagenum=${pagenum}&${filter}`, token)
  return measureInTurn(rounds, [
    { name: 'limit', callsPerRound: 80, call: () => peer.getBody('/limit') },
    { name: 'first', callsPerRound: 80, call: page(1) },
    { name: 'middle', callsPerRound: 80, call: page(Math.ceil(lastPage / 2)) },
    { name: 'last', callsPerRound: 80, call: page(lastPage) },
  ])
}

/** The list of devices by each filter, of a merchant, an agent and the operator: first, middle and last page with total. */
export async function measureDevices(
  urls: { product: string; peer: string },
  callers: readonly Caller[],
  options: { rounds: number; say(text: string): void },
): Promise<DeviceListResult[]> {
  const clients = { product: createHttpClient(urls.product), peer: createHttpClient(urls.peer) }
  const results: DeviceListResult[] = []
  try {
    for (const { role, userName } of callers) {
      const token = await signIn(clients.product, userName)
      const ask: Ask = async (filter, pagenum = 1) =>
        readData<Page>(
          await clients.product.getBody(
            `/api/devices?pagesize=${pageSize}&pagenum=${pagenum}&${filter}`,
            token,
          ),
        )
      for (const { what, filter } of await questionsOf(ask, role)) {
        const { total } = await ask(filter)
        // A merchant may happen to have none that are locked by an admin.
        if (total === 0) continue
        const last = await ask(filter, Math.ceil(total / pageSize))
        if (last.list.length === 0 || last.total !== total)
          throw new Error(`by ${what} the last page is empty`)
        const timings = await measureQuestion(clients, token, { filter, total, rounds: options.rounds })
        results.push({ role, what, total, ...timings })
        const { limit, ...pages } = timings
        const found = Object.values(pages).map(({ p50Ms }) => p50Ms)
        options.say(`${role} by ${what}: ${total} found, limit ${limit.p50Ms} ms, pages ${found.join(', ')}`)
      }
    }
    return results
  } finally {
    clients.product.close()
    clients.peer.close()
  }
}
