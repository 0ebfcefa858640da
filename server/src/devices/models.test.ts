import type { DeviceModel } from '@chairside/contract'
import type { DeviceCommand } from '@chairside/contract/devices/device-protocol'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount, addOrganisation, startTestServer, type TestServer } from '../testing/test-server.ts'
import { createCommandJobs, requestStarts } from './device-commands.ts'
import { modelCalls } from './models-api.ts'

let server: TestServer
const tokens: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer(() => modelCalls)
  await addAccount(server, { organisationId: 1, userName: 'root', isOwner: true, tree: 'admin' })
  await addOrganisation(server, 'merchant', 'spa')
  for (const name of ['root', 'spa']) tokens[name] = await server.signIn(name)
})
afterAll(() => server.stop())

const form = {
  model: 'X-1',
  name: 'Cloud',
  controlmode: '2',
  pulsecycle: '100',
  pulsedutycycle: '50',
  pulseDuration: '6',
  resetTime: '5',
  controllable: 'true',
  lighttherapy: 'false',
}
/** Pulses and their fields have to fit together only where they are given. */
const byCommand = { controlmode: '1' }

interface Refused {
  fields?: Record<string, string>
}
const asForm = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

async function add(fields: Partial<typeof form>, who = 'root') {
  const { body } = await server.call<DeviceModel & Refused>('POST', '/api/device/model', {
    token: tokens[who] ?? '',
    headers: formType,
    body: asForm({ ...form, ...fields }),
  })
  return body
}
async function change(id: number, fields: Partial<typeof form>) {
  const query = asForm({ id: String(id), ...form, ...fields })
  const { body } = await server.call<DeviceModel & Refused>('PUT', `/api/device/model?${query}`, {
    token: tokens['root'] ?? '',
  })
  return body
}
async function list(who: string) {
  const { body } = await server.call<DeviceModel[]>('GET', '/api/device/models', { token: tokens[who] ?? '' })
  return body.data
}

describe('device models', () => {
  it('are added by a form, changed by a query, and read by whoever sees devices', async () => {
    const { data: made } = await add({})
    expect(made).toEqual({
      id: made.id,
      model: 'X-1',
      name: 'Cloud',
      controlMode: 2,
      pulseCycle: 100,
      pulseDutyCycle: 50,
      pulseDuration: 6,
      controllable: true,
      lightTherapy: false,
      sleepMode: false,
      resetTime: 5,
    })
    const { data: changed } = await change(made.id, { name: '', pulsecycle: '5000', lighttherapy: '1' })
    expect(changed).toMatchObject({ name: '', pulseCycle: 5000, lightTherapy: true })
    expect(await list('spa')).toEqual([changed])
  })

  it.each([
    ['model', '', 'x'.repeat(64), 'x'.repeat(65)],
    ['name', undefined, 'x'.repeat(64), 'x'.repeat(65)],
    ['pulsecycle', '9', '10', '5001'],
    ['pulsecycle', '', '5000', 'often'],
    ['pulsedutycycle', '9', '10', '256'],
    ['pulsedutycycle', '', '255', '10.5'],
    ['pulseDuration', '0', '1', '256'],
    ['pulseDuration', '', '255', '-1'],
    ['resetTime', '', '0', 'never'],
    ['controlmode', '0', '3', '4'],
  ])('take %s from its least to its most and name it beyond', async (field, tooLittle, fits, tooMuch) => {
    for (const wrong of [tooLittle, tooMuch]) {
      if (wrong === undefined) continue
      const { resultCode, data } = await add({ ...byCommand, model: 'limits', [field]: wrong })
      expect([resultCode, Object.keys(data.fields ?? {})], wrong).toEqual(['100', [field]])
    }
    const kept = await add({ ...byCommand, model: `fits ${field} ${fits}`.slice(0, 64), [field]: fits })
    expect(kept.resultCode).toBe('000')
  })

  it('that give pulses have a duty cycle below the cycle; others need not', async () => {
    const { data: made } = await add({ model: 'Pulses', pulsecycle: '100', pulsedutycycle: '99' })
    for (const pulsedutycycle of ['100', '101']) {
      const refused = {
        resultCode: '100',
        data: { fields: { pulsedutycycle: expect.stringContaining('pulse cycle') } },
      }
      expect(await add({ model: 'Never starts', pulsedutycycle })).toMatchObject(refused)
      expect(await change(made.id, { model: 'Pulses', pulsedutycycle })).toMatchObject(refused)
      for (const controlmode of ['1', '3'])
        expect((await change(made.id, { model: 'Pulses', controlmode, pulsedutycycle })).resultCode).toBe(
          '000',
        )
    }
  })

  it('have each designation once, also when twenty add it at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add({ model: 'Same' })))
    expect(answers.map(({ resultCode }) => resultCode).toSorted()).toEqual([
      '000',
      ...Array.from({ length: 19 }, () => '106'),
    ])
    const { data: other } = await add({ model: 'Other' })
    expect((await change(other.id, { model: 'Same' })).resultCode).toBe('106')
    expect((await list('root')).filter(({ model }) => model === 'Same')).toHaveLength(1)
    expect((await change(999_999, {})).resultCode).toBe('104')
  })

  it('have no designation that another has in other letters', async () => {
    const { data: made } = await add({ model: 'Letters-1 云' })
    expect((await add({ model: 'LETTERS-1 云' })).resultCode).toBe('106')
    const { data: other } = await add({ model: 'Letters-2' })
    expect((await change(other.id, { model: 'letters-1 云' })).resultCode).toBe('106')
    const rewritten = await change(made.id, { model: 'LETTERS-1 云' })
    expect(rewritten.data.model).toBe('LETTERS-1 云')
    const answers = await Promise.all(['Both', 'both', 'BOTH'].map((model) => add({ model })))
    expect(answers.map(({ resultCode }) => resultCode).toSorted()).toEqual(['000', '106', '106'])
  })

  it('that were alike but for their letters before are still changed in all else', async () => {
    const { data: made } = await add({ model: 'Older' })
    await server.pool.query(`insert into device_models (model) values ('OLDER')`)
    expect((await change(made.id, { model: 'Older', name: 'Cloud 2' })).data.name).toBe('Cloud 2')
  })

  it('are kept by admins alone', async () => {
    expect((await add({ model: 'Theirs' }, 'spa')).resultCode).toBe('103')
  })

  it('reach the next start of their chairs', async () => {
    const { data: model } = await add({ model: 'Pulsing' })
    const { rows } = await server.pool.query<{ id: number }>(
      `with made as (insert into devices (sid, model_id, credential_hash) values ('G77', $1, '') returning id)
       insert into device_states (device_id) select id from made returning device_id as id`,
      [model.id],
    )
    const sent: DeviceCommand[] = []
    const [delivery] = createCommandJobs(
      { sendCommand: async (_sid, command) => void sent.push(command) },
      10,
      server.secrets,
    )
    const startWith = async (commandId: string) => {
      await requestStarts(server.db, [
        { commandId, deviceId: rows[0]?.id ?? 0, orderId: 'o', durationSeconds: 1200, requestedBy: 'test' },
      ])
      await delivery?.work({ db: server.db, log: pino({ level: 'silent' }) }, { commandId })
      const command = sent.at(-1)
      return command?.kind === 'start' ? command.control : undefined
    }
    expect(await startWith('c1')).toEqual({
      mode: 2,
      cycleMs: 100,
      dutyCycleMs: 50,
      count: 4,
      minutesPerPulse: 6,
    })
    await change(model.id, { model: 'Pulsing', pulsecycle: '60', pulseDuration: '10' })
    expect(await startWith('c2')).toMatchObject({ cycleMs: 60, count: 2, minutesPerPulse: 10 })
    await change(model.id, { model: 'Pulsing', controlmode: '1' })
    expect(await startWith('c3')).toEqual({ mode: 1 })
  })
})
