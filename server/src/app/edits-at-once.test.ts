import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'

let network: TestNetwork
const ids: Record<string, number> = {}

type Fields = Record<string, unknown>
type Role = 'admin' | 'agent' | 'merchant'

const send = async <Data = Fields>(verb: 'PUT' | 'POST', path: string, role: Role, body: Fields) =>
  (await network.call<Data>(verb, path, { token: network.tokens[role], body })).body

beforeAll(async () => {
  network = await startTestNetwork()
  const make = async (path: string, role: Role, body: Fields) =>
    (await send<{ id: number }>('POST', path, role, body)).data.id
  const sleep = { name: 'Night', workmode: '1', sleepmodestart: '22:00', sleepmodeend: '06:00' }
  ids['template'] = await make('/api/template', 'merchant', sleep)
  ids['model'] = 1
  await send('PUT', '/api/device/model', 'admin', { id: 1, ...pulses })
  ids['batch'] = await make('/api/devices/batch', 'admin', batch)
  ids['admin'] = await make('/api/admin/users', 'admin', names)
})
afterAll(() => network.stop())

const pulses = {
  model: 'P',
  name: '',
  controlmode: '2',
  pulsecycle: 100,
  pulsedutycycle: 50,
  pulseDuration: 1,
  resetTime: 0,
}
const batch = { deviceid: 'T500', amount: 2, modelid: 1, typeid: '1', fmversion: '1' }
const names = { userName: 'helper-one', realName: 'One', twoStepRequired: false }
const profile = { telephone: '', mobile: '', email: '', address: '', remark: '' }
const goods = {
  price: 500,
  duration: 10,
  queue: 0,
  nameEn: '',
  portrait: '',
  freeFirst: false,
  memberOnly: false,
  timeLimit: false,
  timeStart: '',
  timeEnd: '',
}

/** An edit: the form as both opened it, what each of them changed, and what there is after both have saved. */
const edits: [
  string,
  { path: string; role: Role; form: () => Fields; one: Fields; other: Fields; left: Fields },
][] = [
  [
    'goods',
    {
      path: '/api/goods',
      role: 'merchant',
      form: () => ({ id: network.ours.goodsId, name: 'our-goods', ...goods }),
      one: { price: 800, timeLimit: true, timeStart: '2030-01-01', timeEnd: '2030-02-01' },
      other: { name: 'Renamed' },
      left: { price: 800, name: 'Renamed', timeLimit: true, timeStart: '2030-01-01' },
    },
  ],
  [
    'a place',
    {
      path: '/api/merchant/place',
      role: 'merchant',
      form: () => ({ id: network.ours.placeId, address: 'hall', phone: '' }),
      one: { phone: '021' },
      other: { address: 'great hall' },
      left: { phone: '021', address: 'great hall' },
    },
  ],
  [
    'hours',
    {
      path: '/api/merchant/place/hours/0',
      role: 'merchant',
      form: () => ({ placeid: network.ours.placeId, opentime: '00:00', closetime: '00:00' }),
      one: { opentime: '08:00' },
      other: { closetime: '22:00' },
      left: { hours: '08:00–22:00' },
    },
  ],
  [
    'a goods template',
    {
      path: '/api/template',
      role: 'merchant',
      form: () => ({ id: ids['template'], name: 'Night', sleepmodestart: '22:00', sleepmodeend: '06:00' }),
      one: { sleepmodestart: '23:00' },
      other: { name: 'Late' },
      left: { name: 'Late', sleepModeStart: '23:00', sleepModeEnd: '06:00' },
    },
  ],
  [
    'a banner',
    {
      path: '/api/goods/timebanner',
      role: 'admin',
      form: () => ({
        id: network.ours.merchantId,
        datelimit: false,
        timebannerkey: '',
        startdate: '',
        enddate: '',
        timeurl: '',
      }),
      one: { timeurl: 'https://example.com/' },
      other: { startdate: '2030-01-01' },
      left: { timeUrl: 'https://example.com/', startdate: '2030-01-01', datelimit: false },
    },
  ],
  [
    'a model',
    {
      path: '/api/device/model',
      role: 'admin',
      form: () => ({ id: ids['model'], ...pulses }),
      one: { pulseDuration: 6 },
      other: { name: 'Cloud' },
      left: { pulseDuration: 6, name: 'Cloud' },
    },
  ],
  [
    'a batch',
    {
      path: '/api/devices/batch',
      role: 'admin',
      form: () => ({ id: ids['batch'], ...batch }),
      one: { amount: 5 },
      other: { fmversion: '2' },
      left: { amount: 5, fmversion: '2' },
    },
  ],
  [
    'an admin user',
    {
      path: '/api/admin/users/modify/:id',
      role: 'admin',
      form: () => ({ id: ids['admin'], ...names }),
      one: { twoStepRequired: true },
      other: { realName: 'Another' },
      left: { twoStepRequired: true, realName: 'Another', userName: 'helper-one' },
    },
  ],
  [
    'a merchant',
    {
      path: '/api/merchant/edit/:id',
      role: 'agent',
      form: () => ({ id: network.ours.merchantId, userid: 'our-merchant', name: 'our-merchant', ...profile }),
      one: { mobile: '13812345678' },
      other: { name: 'The hall' },
      left: { mobile: '138****5678', name: 'The hall', userId: 'our-merchant' },
    },
  ],
  [
    'one’s own information',
    {
      path: '/api/agent',
      role: 'agent',
      form: () => ({ name: 'our-agent', ...profile }),
      one: { email: 'a@example.com' },
      other: { remark: 'new' },
      left: { email: 'a@example.com', remark: 'new', name: 'our-agent' },
    },
  ],
]

/** Saves a form of which some fields were changed, as the console does. */
const save = (path: string, role: Role, form: Fields, changed: Fields) =>
  send('PUT', path.replace(':id', String(form['id'])), role, {
    ...form,
    ...changed,
    unchanged: Object.keys(form).filter((name) => !(name in changed)),
  })

it.each(edits)('%s that two people edit at once keeps what each of them changed', async (_what, edit) => {
  const { path, role, form, one, other, left } = edit
  const opened = form()
  expect((await save(path, role, opened, one)).resultCode).toBe('000')
  const answer = await save(path, role, opened, other)
  expect(answer).toMatchObject({ resultCode: '000', data: left })
})

it('a device keeps what each of two people changed', async () => {
  const form = { id: network.ours.deviceId, name: 'a', modelid: 1, typeid: '1', fmversion: '' }
  await save('/api/device', 'merchant', form, { name: 'By the door' })
  await save('/api/device', 'merchant', { ...form, name: '?' }, { fmversion: '3' })
  const { rows } = await network.pool.query('select name, firmware from devices where id = $1', [form.id])
  expect(rows).toEqual([{ name: 'By the door', firmware: '3' }])
})

it('what two people changed is refused where it does not go together', async () => {
  const limited = { ...goods, name: 'days', timeLimit: true, timeStart: '2030-01-01', timeEnd: '2030-02-01' }
  const form = { id: network.ours.goodsId, ...limited }
  await send('PUT', '/api/goods', 'merchant', form)
  await save('/api/goods', 'merchant', form, { timeEnd: '2030-01-10' })
  expect(await save('/api/goods', 'merchant', form, { timeStart: '2030-01-20' })).toMatchObject({
    resultCode: '100',
    data: { fields: { timeEnd: expect.any(String) } },
  })
  const model = { id: ids['model'], ...pulses }
  await send('PUT', '/api/device/model', 'admin', model)
  await save('/api/device/model', 'admin', model, { pulsecycle: 60 })
  expect(await save('/api/device/model', 'admin', model, { pulsedutycycle: 80 })).toMatchObject({
    resultCode: '100',
    data: { fields: { pulsedutycycle: 'Must be shorter than the pulse cycle when started by pulses' } },
  })
})

it('who says nothing of what was left alone means every field as it is sent', async () => {
  const form = { id: network.ours.placeId, address: 'hall', phone: '' }
  await send('PUT', '/api/merchant/place', 'merchant', { ...form, phone: '010' })
  const { data } = await send('PUT', '/api/merchant/place', 'merchant', { ...form, address: 'court' })
  expect(data).toMatchObject({ address: 'court', phone: '' })
})
