import type { DataOf, DeviceBatch, modifyBatch } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount, addOrganisation, startTestServer, type TestServer } from '../testing/test-server.ts'
import { createDeviceCredentials, type DeviceCredentials } from './device-credentials.ts'
import { createBatchCalls } from './keep-batches.ts'
import { createKeepDevicesCalls } from './keep-devices.ts'

type Kept = DataOf<typeof modifyBatch>

let server: TestServer
let credentials: DeviceCredentials
let token = ''
let merchantId = 0
let modelId = 0
let otherModelId = 0

beforeAll(async () => {
  server = await startTestServer(({ secrets }) => {
    credentials = createDeviceCredentials(secrets)
    return [...createBatchCalls(credentials), ...createKeepDevicesCalls(credentials)]
  })
  await addAccount(server, { organisationId: 1, userName: 'root', isOwner: true, tree: 'admin' })
  merchantId = await addOrganisation(server, 'merchant', 'spa')
  token = await server.signIn('root')
  const { rows } = await server.pool.query<{ id: number }>(
    `insert into device_models (model) values ('M1'), ('M2') returning id`,
  )
  ;[modelId, otherModelId] = rows.map(({ id }) => id) as [number, number]
})
afterAll(() => server.stop())

type Answer<Data> = { resultCode: string; data: Data & { fields: Record<string, string> } }

async function send<Data = Kept>(
  verb: 'POST' | 'PUT' | 'DELETE',
  fields: Record<string, string | number>,
  as = token,
) {
  const { body } = await server.call<Data>(verb, '/api/devices/batch', { token: as, body: fields })
  return body as Answer<Data>
}
const form = (deviceid: string, amount: number | string, more: Record<string, string | number> = {}) => ({
  deviceid,
  amount,
  modelid: modelId,
  typeid: '1',
  fmversion: '1.0',
  ...more,
})
const add = (deviceid: string, amount: number | string) => send('POST', form(deviceid, amount))
const addSingly = async (deviceid: string) =>
  (
    await server.call('POST', '/api/device', {
      token,
      body: { deviceid, modelid: modelId, name: 'by the door' },
    })
  ).body
const modify = (id: number, deviceid: string, amount: number, more = {}) =>
  send('PUT', { id, ...form(deviceid, amount, more) })
const remove = (id: number) => send<{ removed: number; deviceId: string }>('DELETE', { id })

async function sidsLike(prefix: string): Promise<string[]> {
  const { rows } = await server.pool.query<{ sid: string }>(
    'select sid from devices where starts_with(sid, $1) and removed_at is null order by sid',
    [prefix],
  )
  return rows.map(({ sid }) => sid)
}
async function list(query = ''): Promise<{ list: DeviceBatch[]; total: number }> {
  const { body } = await server.call<{ list: DeviceBatch[]; total: number }>(
    'GET',
    `/api/devices/batch?${query}`,
    { token },
  )
  return body.data
}
const assign = (sid: string, to: number | null) =>
  server.pool.query('update devices set merchant_id = $2 where sid = $1', [sid, to])

describe('a batch', () => {
  it('counts up the digits at the end, keeping their width, and tells each board its password', async () => {
    const { data } = await add('g0098', 4)
    expect(data).toMatchObject({
      deviceid: 'G0098',
      lastDeviceId: 'G0101',
      amount: 4,
      modelName: 'M1',
      typeName: 'massage',
      fmversion: '1.0',
      assigned: 0,
    })
    expect(await sidsLike('G0')).toEqual(['G0098', 'G0099', 'G0100', 'G0101'])
    expect(data.boards.map(({ deviceId }) => deviceId)).toEqual(['G0098', 'G0099', 'G0100', 'G0101'])
    for (const { deviceId, password } of data.boards)
      expect(await credentials.check(server.db, deviceId, password)).toBe(true)
    expect(await credentials.check(server.db, 'G0099', data.boards[0]?.password ?? '')).toBe(false)
    expect(JSON.stringify(await list())).not.toContain('password')
    const trail = await server.pool.query(`select details::text from audit_trail where action = 'batch.add'`)
    expect(JSON.stringify(trail.rows)).not.toContain(data.boards[0]?.password)
  })

  it('of an id that ends in a letter holds that one device', async () => {
    expect((await add('W1A', 2)).data.fields).toEqual({ amount: expect.stringContaining('W1A') })
    expect((await add('W1A', 1)).data).toMatchObject({ deviceid: 'W1A', lastDeviceId: 'W1A', amount: 1 })
  })

  it('reaches the last number of its digits and no further', async () => {
    expect((await add('J97', 4)).data.fields).toEqual({ amount: expect.stringContaining('3') })
    expect(await sidsLike('J')).toEqual([])
    expect((await add('J97', 3)).data.lastDeviceId).toBe('J99')
    const nineteen = `B${'9'.repeat(19)}`
    expect((await add(nineteen, 2)).data.fields).toEqual({ amount: expect.stringContaining('1') })
    expect((await add(nineteen, 1)).data.lastDeviceId).toBe(nineteen)
  })

  it.each([
    ['', 1, 'deviceid', 'The device id start is empty'],
    ['A100', 1, 'deviceid', 'Not a device id'],
    ['GABC', 1, 'deviceid', 'Not a device id'],
    [`G${'1'.repeat(20)}`, 1, 'deviceid', 'At most 20'],
    ['K100', '', 'amount', 'Required'],
    ['K100', 'many', 'amount', 'Not a number'],
    ['K100', 0, 'amount', 'At least 1'],
    ['K000001', 100_001, 'amount', 'At most 100000'],
  ])('from %j with %j is refused at %s', async (start, amount, field, message) => {
    const { resultCode, data } = await add(start, amount)
    expect([resultCode, Object.keys(data.fields)]).toEqual(['100', [field]])
    expect(data.fields[field]).toContain(message)
    expect(await sidsLike('K')).toEqual([])
  })

  it('needs a model that there is, and a type', async () => {
    const unknown = await send('POST', { ...form('K100', 1), modelid: 999_999 })
    expect(Object.keys(unknown.data.fields)).toEqual(['modelid'])
    const { typeid: _typeid, ...without } = form('K100', 1)
    expect(Object.keys((await send('POST', without)).data.fields)).toEqual(['typeid'])
  })

  it('takes no id that a device or another batch has, names the first, and makes nothing', async () => {
    await server.pool.query(
      `insert into devices (sid, model_id, credential_hash) values ('T0150', $1, ''), ('T0149', $1, ''), ('T014A', $1, '')`,
      [modelId],
    )
    expect((await add('T0100', 100)).data.fields).toEqual({ deviceid: 'T0149 already exists' })
    expect(await sidsLike('T0')).toEqual(['T0149', 'T014A', 'T0150'])
    expect((await add('T0100', 49)).data.amount).toBe(49)
    await server.pool.query(`update devices set removed_at = now() where sid = 'T0148'`)
    expect((await add('T0148', 1)).data.fields).toEqual({ deviceid: 'T0148 already exists' })
    expect((await add('T00148', 2)).data.amount).toBe(2)
  })

  it('is made once when twenty ask for overlapping ranges at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => add(`N${String(100 + index)}`, 200)),
    )
    const made = answers.filter(({ resultCode }) => resultCode === '000')
    expect(made).toHaveLength(1)
    expect(answers.filter(({ resultCode }) => resultCode === '100')).toHaveLength(19)
    expect((await sidsLike('N')).length).toBe(200)
    expect((await list('deviceid=N250')).total).toBe(1)
  })

  it('grows by further devices, and gets no bigger than what follows allows', async () => {
    const { data: batch } = await add('K500', 2)
    await add('K505', 1)
    expect((await modify(batch.id, 'K500', 6)).data.fields).toEqual({ amount: 'K505 already exists' })
    const { data: grown } = await modify(batch.id, 'K500', 5)
    expect(grown.lastDeviceId).toBe('K504')
    expect(grown.boards.map(({ deviceId }) => deviceId)).toEqual(['K502', 'K503', 'K504'])
    expect((await modify(batch.id, 'K400', 5)).data.fields).toHaveProperty('deviceid')
    expect(await sidsLike('K50')).toHaveLength(6)
  })

  it('shrinks and goes only while its last devices never belonged to a merchant', async () => {
    const { data: batch } = await add('B10', 6)
    await assign('B12', merchantId)
    await assign('B12', null)
    const refused = await modify(batch.id, 'B10', 2)
    expect(refused.data.fields).toEqual({
      amount: 'B12 belongs or belonged to a merchant: at least 3',
    })
    expect(await sidsLike('B1')).toHaveLength(6)
    expect((await list('deviceid=B14')).list[0]).toMatchObject({ amount: 6, assigned: 3 })
    expect((await modify(batch.id, 'B10', 3)).data).toMatchObject({ amount: 3, boards: [] })
    expect(await sidsLike('B1')).toEqual(['B10', 'B11', 'B12'])
    expect(await remove(batch.id)).toMatchObject({ resultCode: '105', data: { deviceId: 'B12' } })
    expect(await sidsLike('B1')).toHaveLength(3)
  })

  it('that is deleted leaves its range to another one', async () => {
    const { data: batch } = await add('G700', 3)
    expect((await remove(batch.id)).data).toEqual({ removed: 3 })
    expect(await sidsLike('G70')).toEqual([])
    expect((await remove(batch.id)).resultCode).toBe('104')
    const { data: again } = await add('G701', 3)
    expect(again.boards).toHaveLength(3)
    expect(await credentials.check(server.db, 'G702', batch.boards[2]?.password ?? '')).toBe(false)
    expect(await credentials.check(server.db, 'G702', again.boards[1]?.password ?? '')).toBe(true)
  })

  it('does not remove once more what was removed from it singly, and makes that anew when it grows', async () => {
    const { data: batch } = await add('J500', 4)
    await server.pool.query(
      `update devices set removed_at = now() - interval '1 day' where sid in ('J502', 'J503')`,
    )
    expect((await modify(batch.id, 'J500', 3)).data.amount).toBe(3)
    const removals = async () =>
      (
        await server.pool.query(
          `select d.sid from device_logs l join devices d on d.id = l.device_id
            where l.action = 'removed' and d.sid like 'J50_' order by d.sid`,
        )
      ).rows.map(({ sid }) => sid)
    expect(await removals()).toEqual([])
    const { data: grown } = await modify(batch.id, 'J500', 4)
    expect(grown.boards.map(({ deviceId }) => deviceId)).toEqual(['J503'])
    expect(await sidsLike('J50')).toEqual(['J500', 'J501', 'J503'])
    expect((await remove(batch.id)).data).toEqual({ removed: 3 })
    expect(await removals()).toEqual(['J500', 'J501', 'J503'])
    const { data: again } = await add('J500', 4)
    expect(again.boards).toHaveLength(4)
  })

  it('has nothing to do any more with a device that was removed from it and added singly', async () => {
    const { data: batch } = await add('T500', 3)
    await server.pool.query(`update devices set removed_at = now() where sid in ('T501', 'T502')`)
    for (const deviceid of ['T501', 'T502'])
      expect(await addSingly(deviceid)).toMatchObject({ data: { deviceId: deviceid } })
    expect((await modify(batch.id, 'T500', 2)).data.amount).toBe(2)
    expect((await modify(batch.id, 'T500', 3)).data.fields).toEqual({ amount: 'T502 already exists' })
    expect((await remove(batch.id)).data).toEqual({ removed: 1 })
    expect(await sidsLike('T50')).toEqual(['T501', 'T502'])
  })

  it('gives its new model and firmware to devices that still have what it had', async () => {
    const { data: batch } = await add('W300', 3)
    await server.pool.query(`update devices set firmware = '9.9', model_id = $1 where sid = 'W301'`, [
      otherModelId,
    ])
    await modify(batch.id, 'W300', 3, { modelid: otherModelId, fmversion: '2.0' })
    const { rows } = await server.pool.query(
      `select sid, firmware, model_id as "modelId" from devices where sid like 'W30_' order by sid`,
    )
    expect(rows).toEqual([
      { sid: 'W300', firmware: '2.0', modelId: otherModelId },
      { sid: 'W301', firmware: '9.9', modelId: otherModelId },
      { sid: 'W302', firmware: '2.0', modelId: otherModelId },
    ])
  })

  it('is found by any id that it holds, and paged newest first', async () => {
    expect((await list('deviceid=k503')).list.map(({ deviceid }) => deviceid)).toEqual(['K500'])
    expect((await list('deviceid=G00')).list.map(({ deviceid }) => deviceid)).toContain('G0098')
    expect((await list('deviceid=K0503')).total).toBe(0)
    // Some of its ids begin so, though neither its first nor its last has it as a part.
    await add('W55095', 30)
    expect((await list('deviceid=w5511')).list.map(({ deviceid }) => deviceid)).toEqual(['W55095'])
    for (const none of ['W5513', 'W551X', 'W5508', 'B5511'])
      expect((await list(`deviceid=${none}`)).total).toBe(0)
    const all = (await list('pagesize=0')).list
    expect((await list('pagesize=3&pagenum=2')).list).toEqual(all.slice(3, 6))
    expect((await list('pagesize=3')).total).toBe(all.length)
  })

  it('of thousands is made whole, each board with a password of its own', async () => {
    const { data } = await add('T1000000', 3000)
    expect(data.lastDeviceId).toBe('T1002999')
    expect(new Set(data.boards.map(({ password }) => password)).size).toBe(3000)
    expect((await sidsLike('T10')).length).toBe(3000)
  })
})
