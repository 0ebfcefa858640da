import { endpoints, type Endpoint, type EndpointName } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { idFields, idFieldsOfCall } from '../testing/fields-that-name.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { addAccount } from '../testing/test-server.ts'

/*
 * Every call that changes something, asked for twice at once while somebody else takes away what it is about: each is done
 * or refused in its own words, nobody waits for another in a circle, and nothing is left half done.
 */

let network: TestNetwork
let round = 0
beforeAll(async () => {
  network = await startTestNetwork()
  await network.pool.query(`select setval(pg_get_serial_sequence('device_models', 'id'), 100)`)
  await network.pool.query(
    `insert into pictures (key, purpose, organisation_id, account_id, width, height, stored_at)
     select $1, 'banner', organisation_id, id, 720, 350, now() from accounts where user_name = 'admin'`,
    [bannerkey],
  )
})
afterAll(() => network.stop())

type Fields = Record<string, unknown>
type Role = keyof TestNetwork['tokens']

const pulses = { controlmode: '1', pulsecycle: 100, pulsedutycycle: 50, pulseDuration: 1, resetTime: 0 }
const batch = { amount: 3, modelid: 1, typeid: '1' }
const person = { userName: 'new-one', realName: 'new' }
const bannerkey = 'banner_1763000000000_new.jpg'
const goods = { name: 'new', price: 100, duration: 10 }
const rights = { oldRoles: [], selectedRoles: [] }
const clerk = { userName: 'our-merchant-clerk' }
const agentClerk = { userName: 'our-agent-clerk' }

/** What a call needs beside the ids of what it is about. */
const beside = {
  resetTwoStep: clerk,
  chooseColumns: { list: '/api/orders', hidden: ['status'] },
  addSavedView: { screen: '/orders', name: 'new' },
  changeSavedView: { name: 'new' },
  addReceiver: {
    name: 'new',
    kind: 'email',
    address: 'new@example.com',
    language: 'en',
    events: 'alertRaised',
  },
  editReceiver: { name: 'changed', language: 'en', events: 'alertRaised', active: true },
  addMerchantSubAccount: person,
  modifyMerchantSubAccount: { realName: 'new' },
  resetMerchantSubAccountPassword: clerk,
  addAgentSubAccount: person,
  modifyAgentSubAccount: { realName: 'new' },
  resetAgentSubAccountPassword: agentClerk,
  addAdminUser: person,
  modifyAdminUser: person,
  resetAdminUserPassword: person,
  grantToMerchant: { ...rights, userId: 'their-merchant' },
  grantToAgent: { ...rights, userId: 'their-agent' },
  grantToMerchantSubAccount: { ...rights, userId: clerk.userName },
  grantToAgentSubAccount: { ...rights, userId: agentClerk.userName },
  grantToAdminUser: rights,
  createMerchant: { userid: 'new-one', name: 'new' },
  createAgent: { userid: 'new-one', name: 'new' },
  editMerchant: { name: 'new' },
  editAgent: { name: 'new' },
  lockMerchant: { option: '1' },
  lockAgent: { option: '1' },
  resetMerchantPassword: { userId: 'their-merchant' },
  resetAgentPassword: { userId: 'their-agent' },
  saveOwnMerchant: { name: 'our-merchant' },
  saveOwnAgent: { name: 'our-agent' },
  saveOwnAdmin: { name: 'new' },
  saveBankAccount: { accountid: '1', accountname: 'new', accountbank: 'new' },
  addPlace: { address: 'new' },
  modifyPlace: { address: 'new' },
  setPlaceHours: { id: 0, opentime: '08:00', closetime: '22:00' },
  changeBanner: { bannerkey },
  uploadBanner: { bannerkey },
  setTimeBanner: { datelimit: '0' },
  reviewBanner: { option: '1' },
  modifySleepPrompt: { newsleepprompt: 'new' },
  addGoodsTemplate: { name: 'new', workmode: '0' },
  modifyGoodsTemplate: { name: 'new' },
  addGoods: goods,
  modifyGoods: goods,
  addModel: { model: 'new', ...pulses },
  editModel: { id: 1, model: 'M', ...pulses },
  addBatch: { ...batch, deviceid: 'T900' },
  modifyBatch: { ...batch, fmversion: 'new' },
  lockDevices: { option: '1' },
  associateDevices: { option: '0' },
  addDevice: { deviceid: 'W5', name: 'new', modelid: 1 },
  editDevice: { name: 'new', modelid: 1 },
  generateManyQrCodes: { matching: true },
  auditRefund: { audit: '2', remark: 'new' },
} satisfies { [Name in EndpointName]?: Fields }

/** Whose call it is, where an admin's would be about something else. */
const callers: { [Name in EndpointName]?: Role } = {
  changeSavedView: 'merchant',
  deleteSavedView: 'merchant',
  addReceiver: 'merchant',
  editReceiver: 'merchant',
  deleteReceiver: 'merchant',
  testReceiver: 'merchant',
  saveOwnMerchant: 'merchant',
  saveOwnAgent: 'agent',
  saveBankAccount: 'merchant',
  linkDevicesToPlace: 'merchant',
  bindGoodsToDevices: 'merchant',
}
const roleOf = (name: EndpointName, { types = [0] }: Endpoint): Role =>
  callers[name] ?? (types.includes(0) ? 'admin' : types.includes(2) ? 'merchant' : 'agent')

/** Sessions are their own; the others take a file, or wait for a board. */
const leftOut = (name: string, { path, takesFile }: Endpoint) =>
  path.startsWith('/api/sessions') || takesFile || ['workDevices', 'setDeviceWifi'].includes(name)
const changing = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([name, endpoint]) => endpoint.verb !== 'GET' && !('open' in endpoint) && !leftOut(name, endpoint),
)

/** Those that end the sessions of whom they are about, or take their rights away, are about the others. */
const aboutTheirs: ReadonlySet<EndpointName> = new Set([
  'lockMerchant',
  'lockAgent',
  'grantToMerchant',
  'grantToAgent',
])

/** Rows that are made anew for each call, because some take them away for good. */
const made = { batch: 0, admin: 0 }
const firstOfBatch = () => 100 + 5 * round

function inputOf(name: EndpointName, { input: { shape } }: Endpoint): Fields {
  const owner = aboutTheirs.has(name) ? network.theirs : network.ours
  const ofCall = idFieldsOfCall[name] ?? {}
  const isNeeded = (field: string) => field in ofCall || !shape[field]?.safeParse(undefined).success
  const ids = Object.entries({ ...idFields, ...ofCall }).filter(
    ([field]) => field in shape && (isNeeded(field) || field.endsWith('Ids')),
  )
  const own = name.endsWith('Batch')
    ? { id: made.batch, deviceid: `T${firstOfBatch()}` }
    : name.endsWith('AdminUser')
      ? { id: made.admin }
      : {}
  const fields = { ...Object.fromEntries(ids.map(([field, idOf]) => [field, idOf(owner)])), ...own }
  return { ...fields, ...(beside as { [Name in EndpointName]?: Fields })[name] }
}

async function ask(name: EndpointName, role: Role) {
  const endpoint: Endpoint = endpoints[name]
  const input = inputOf(name, endpoint)
  expect(endpoint.input.safeParse(input).error, name).toBeUndefined()
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, field: string) => String(input[field]))
  const { status, body } = await network.call(endpoint.verb, path, {
    token: network.tokens[role],
    body: input,
  })
  return { name, status, resultCode: Buffer.isBuffer(body) ? '000' : body.resultCode }
}

/** What takes away, or moves, what others are just changing. */
const takingAway: readonly EndpointName[] = [
  'removeDevices',
  'deletePlace',
  'deleteGoodsTemplate',
  'moveDevices',
  'deleteMerchantSubAccount',
  'bindSubAccounts',
]

/** All as it was in the beginning, whatever the last call took away. */
beforeEach(async () => {
  const { ours, pool } = network
  const { merchantId, agentId, placeId, templateId, deviceId } = ours
  round++
  await pool.query('select move_organisation($1, $2)', [merchantId, agentId])
  for (const table of ['places', 'goods_templates', 'goods', 'devices'])
    await pool.query(`update ${table} set removed_at = null`)
  const { rows } = await pool.query<{ id: number }>(
    `insert into device_batches (first_sid, last_sid, prefix, digits, first_number, amount, model_id)
     values ('T' || $1::text, 'T' || $1::text, 'T', 3, $1::numeric, 1, 1) returning id`,
    [firstOfBatch()],
  )
  made.batch = rows[0]?.id ?? 0
  await pool.query(
    `update devices set merchant_id = $1, place_id = $2, template_id = $3, bound = true, batch_id = $4 where id = $5`,
    [merchantId, placeId, templateId, made.batch, deviceId],
  )
  await pool.query(`delete from accounts where not is_owner and organisation_id in (1, $1, $2)`, [
    merchantId,
    agentId,
  ])
  const add = (organisationId: number, userName: string, tree: 'admin' | 'agent' | 'merchant') =>
    addAccount(network, { organisationId, userName, isOwner: false, tree })
  ours.merchantClerkId = await add(merchantId, clerk.userName, 'merchant')
  ours.agentClerkId = await add(agentId, agentClerk.userName, 'agent')
  made.admin = await add(1, `helper-${round}`, 'admin')
})

/** Each finds what must not be: a thing that stands where it cannot, or is somebody else's. */
const contradictions = `
  select 'device at a place' as what, d.sid from devices d join places p on p.id = d.place_id
   where d.removed_at is null and (p.removed_at is not null or p.merchant_id is distinct from d.merchant_id)
  union all select 'device with goods', d.sid from devices d join goods_templates t on t.id in (d.template_id, d.sleep_template_id)
   where d.removed_at is null and (t.removed_at is not null or t.merchant_id is distinct from d.merchant_id)
  union all select 'somebody at a place', b.account_id::text from account_places b join places p on p.id = b.place_id where p.removed_at is not null
  union all select 'goods', g.name from goods g join goods_templates t on t.id = g.template_id where t.removed_at is not null and g.removed_at is null
  union all select 'organisation', o.name from organisations o join organisations p on p.id = o.parent_id where o.path <> p.path || o.id::text
  union all select 'order', o.order_id from orders o
   where (o.status = 5) <> exists (select from refunds r where r.order_id = o.order_id and r.status = 5)
  union all select 'start', order_id from device_commands where kind = 'start' and state in ('pending', 'sent') group by order_id having count(*) > 1`

it.each(changing)('%s at once, while what it is about goes away', async (name, endpoint) => {
  const role = roleOf(name, endpoint)
  const answers: { resultCode: string }[] = await Promise.all([
    ask(name, role),
    ...takingAway.map((other) => ask(other, roleOf(other, endpoints[other]))),
    ask(name, role),
  ])
  for (const answer of answers) expect(answer, JSON.stringify(answers)).toMatchObject({ status: 200 })
  // One of the two was refused neither for what it was given nor for who asks.
  const codes = [answers.at(0), answers.at(-1)].map((answer) => answer?.resultCode ?? '')
  expect(
    codes.every((code) => ['100', '103', '02000'].includes(code)),
    codes.join(),
  ).toBe(false)
  const { rows } = await network.pool.query(contradictions)
  expect(rows).toEqual([])
})
