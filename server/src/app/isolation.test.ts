import { isDeepStrictEqual } from 'node:util'
import { endpoints, type Endpoint, type EndpointName } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postForm } from '../testing/posted-forms.ts'
import { harmless, idFields, idFieldsOfCall } from '../testing/fields-that-name.ts'
import { sheetOf } from '../testing/test-sheets.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())

const roles = ['agent', 'merchant', 'subAgent', 'subMerchant'] as const
/** Calls of customers know no tenant; the pay page's own tests show that an order is its customer's alone. */
const guarded = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, endpoint]) => !('open' in endpoint),
)

const fieldsOf = (endpoint: Endpoint) => Object.keys(endpoint.input.shape)
const goodsSheet = await sheetOf([
  ['name', 'price', 'duration'],
  ['new', '1.00', '10'],
])
const required: Record<string, Record<string, unknown>> = {
  setDeviceWifi: { wifissid: 'hall' },
  workDevices: { operation: '1', duration: 5 },
  auditRefund: { audit: '0', remark: 'no' },
  applyRefund: { remark: 'no' },
  lockMerchant: { option: '1' },
  reviewBanner: { option: '1' },
  listIncomeLines: { day: '2026-03-01' },
  sumIncomeLines: { day: '2026-03-01' },
  setTimeBanner: { datelimit: '0' },
  modifySleepPrompt: { newsleepprompt: 'Sleep well' },
  lockAgent: { option: '1' },
  lockDevices: { option: '1' },
  associateDevices: { option: '1' },
  createMerchant: { userid: 'new-one', name: 'new' },
  createAgent: { userid: 'new-one', name: 'new' },
  editMerchant: { name: 'new' },
  editAgent: { name: 'new' },
  modifyMerchantSubAccount: { realName: 'new' },
  modifyAgentSubAccount: { realName: 'new' },
  addGoodsTemplate: { name: 'new', workmode: '0' },
  modifyGoodsTemplate: { name: 'new' },
  addGoods: { name: 'new', price: 100, duration: 10 },
  modifyGoods: { name: 'new', price: 100, duration: 10 },
  addPlace: { address: 'new' },
  modifyPlace: { address: 'new' },
  importGoods: { file: goodsSheet },
  editReceiver: { name: 'new', language: 'en', events: 'alertRaised', active: true },
  modifyAdminUser: { userName: 'new-one', realName: 'new' },
}
/** Calls that bring devices and something else of somebody's together. */
const callsOnOwnDevices = new Set(['moveDevices', 'linkDevicesToPlace', 'bindGoodsToDevices'])
/** What a call needs beside the field that is tried; some of it is the caller's own. */
function requiredFor(name: string, field: string): Record<string, unknown> {
  if (name === 'moveOrganisations')
    return {
      merchantIds: String(network.ours.merchantId),
      parentId: network.ours.agentId,
      [field]: undefined,
    }
  if (name.startsWith('grantTo'))
    return { id: idFieldsOfCall[name]?.['id']?.(network.ours) ?? 1, oldRoles: [], selectedRoles: [] }
  if (callsOnOwnDevices.has(name)) {
    const { deviceId, merchantId, placeId, templateId } = network.ours
    return { deviceIds: String(deviceId), merchantId, placeId, templateId }
  }
  if (name === 'generateManyQrCodes') return field === 'deviceids' ? {} : { matching: true }
  if (name === 'editDevice') return { id: network.theirs.deviceId, name: 'new', modelid: 1 }
  if (name === 'modifyGoods' && field === 'templateid') return { ...required[name], id: network.ours.goodsId }
  if (name === 'modifyGoodsTemplate' && field === 'merchantId')
    return { ...required[name], id: network.ours.templateId }
  if (name === 'setPlaceHours')
    return { id: 0, placeid: network.ours.placeId, opentime: '08:00', closetime: '22:00' }
  if (name === 'bindSubAccounts')
    return { placeId: network.ours.placeId, ...(field === 'placeId' ? { userIds: '' } : {}) }
  return required[name] ?? {}
}

/** Everything a change could touch, as one text. */
async function fingerprint(): Promise<string> {
  const { rows } = await network.pool.query<{ mark: string }>(`
    select md5(string_agg(t, '' order by t)) as mark from (
      select md5(o::text) as t from orders o union all select md5(r::text) from refunds r union all select md5(h::text) from order_history h
      union all select md5(e::text) from ledger_entries e union all select md5(c::text) from device_commands c
      union all select md5(p::text) from provider_refunds p union all select md5(d::text) from devices d union all select md5(l::text) from device_logs l
      union all select md5(g::text) from organisations g union all select md5(a::text) from accounts a
      union all select md5(s::text) from organisation_moves s
      union all select md5(b::text) from banners b
      union all select md5(w::text) from saved_views w
      union all select md5(l::text) from places l union all select md5(b::text) from account_places b
      union all select md5(v::text) from device_alert_views v union all select md5(m::text) from device_mutes m
      union all select md5(t::text) from goods_templates t union all select md5(y::text) from goods y) all_rows`)
  return rows[0]?.mark ?? ''
}

const namesTheirs = (answer: unknown) => {
  const { deviceSid, orderId, transactionId } = network.theirs
  const text = JSON.stringify(answer)
  const userNames = ['their-merchant', 'their-agent', 'their-merchant-clerk', 'their-agent-clerk']
  return [deviceSid, orderId, transactionId, ...userNames].some((mark) => text.includes(`"${mark}"`))
}

/** Whether an answer is lists of several kinds, by their names. */
const isSeveralLists = (data: unknown): data is Record<string, unknown[]> =>
  typeof data === 'object' &&
  data !== null &&
  !Array.isArray(data) &&
  Object.values(data).every(Array.isArray)

async function ask(endpoint: Endpoint, token: string, input: Record<string, unknown>) {
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(String(input[name])),
  )
  if (endpoint.verb === 'GET') {
    const query = new URLSearchParams(
      Object.entries(input).map(([name, value]) => [name, String(value)] as [string, string]),
    )
    return network.call('GET', `${path}?${query}`, { token })
  }
  if (input['file'] instanceof Uint8Array) {
    const { file, ...rest } = input
    const fields = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]))
    return postForm(network, { path, token, fields, file: file as Uint8Array })
  }
  return network.call(endpoint.verb, path, { token, body: input })
}

describe('every call', () => {
  it('names its fields in one of the two lists, so that none is forgotten', () => {
    const unknown = guarded.flatMap(([name, endpoint]) =>
      fieldsOf(endpoint)
        .filter((field) => !(field in idFields) && !harmless.has(field))
        .map((field) => `${name}.${field}`),
    )
    expect(unknown).toEqual([])
  })

  it('answers somebody else’s id as if it did not exist, for every role, and changes nothing', async () => {
    const before = await fingerprint()
    let tried = 0
    for (const [name, endpoint] of guarded) {
      const ofCall = idFieldsOfCall[name] ?? {}
      for (const field of fieldsOf(endpoint).filter((one) => one in idFields || one in ofCall)) {
        for (const role of roles) {
          const id = (ofCall[field] ?? idFields[field])?.(network.theirs)
          const { body } = await ask(endpoint, network.tokens[role], {
            ...requiredFor(name, field),
            [field]: id,
          })
          tried++
          const about = `${name} ${field} ${role}: ${JSON.stringify(body).slice(0, 200)}`
          // Which of the ids asked for are not there, in the caller's own words.
          const repeatsAsked = body.resultCode === '104' && isDeepStrictEqual(body.data, { deviceIds: id })
          expect(namesTheirs(body.data) && !repeatsAsked, about).toBe(false)
          if (body.success) {
            const { list, total, totalCount } = (body.data ?? {}) as {
              list?: unknown[]
              total?: number | { totalIncome: number }
              totalCount?: number
            }
            if (isSeveralLists(body.data)) expect(Object.values(body.data).flat(), about).toEqual([])
            else if (list ?? Array.isArray(body.data)) expect(list ?? body.data, about).toEqual([])
            else if (typeof body.data === 'number') expect(body.data, about).toBe(0)
            else if (typeof total === 'object') expect(total.totalIncome, about).toBe(0)
            else expect(totalCount ?? body.data, about).toBeFalsy()
          } else expect(['104', '103'], about).toContain(body.resultCode)
        }
      }
    }
    expect(await fingerprint()).toBe(before)
    // The figure falls only when a call or a field goes.
    expect(tried).toBeGreaterThanOrEqual(200)
  })

  it('shows a list without filters to nobody but whose it is', async () => {
    // What ours tried with their ids above stands in our own trail, as we typed it; what they did does not.
    await network.pool.query('delete from audit_trail')
    await network.signIn('their-agent')
    await network.signIn('their-merchant')
    for (const [name, endpoint] of guarded.filter(
      // A file that is not asked for by something's name is a sheet to fill in.
      ([, one]) => one.verb === 'GET' && !one.path.includes(':') && one.file === undefined,
    )) {
      for (const role of roles) {
        const { body } = await ask(endpoint, network.tokens[role], {})
        expect(namesTheirs(body.data), `${name} ${role}`).toBe(false)
      }
    }
    const { body } = await network.call<{ total: number }>('GET', '/api/orders', {
      token: network.tokens.admin,
    })
    expect(body.data.total).toBe(4)
  })

  it('finds what is one’s own by the same ids', async () => {
    const { ours, tokens } = network
    for (const role of roles) {
      for (const query of [
        `orderid=${ours.orderId}`,
        `transactionid=${ours.transactionId}`,
        `devicesid=${ours.deviceSid}`,
        `merchantid=${ours.merchantId}`,
      ]) {
        const { body } = await network.call<{ total: number }>('GET', `/api/orders?${query}`, {
          token: tokens[role],
        })
        expect(body.data.total, `${role} ${query}`).toBeGreaterThan(0)
      }
      const { body: found } = await network.call<{ orders: unknown[] }>(
        'GET',
        `/api/find?text=${ours.transactionId}`,
        { token: tokens[role] },
      )
      expect(found.data.orders, role).toHaveLength(1)
      const { body } = await network.call<{ total: number }>('GET', '/api/devices', { token: tokens[role] })
      expect(body.data.total, role).toBe(1)
    }
  })
})
