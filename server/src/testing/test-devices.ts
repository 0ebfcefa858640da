import type { DevicesChanged, Envelope } from '@chairside/contract'
import { createAuditCalls } from '../identity/audit-api.ts'
import { createDeviceCredentials } from '../devices/device-credentials.ts'
import { createDeviceListCalls } from '../devices/device-list-api.ts'
import { remarkOf } from '../devices/device-log.ts'
import { equipDevicesCalls } from '../devices/equip-devices.ts'
import { createKeepDevicesCalls } from '../devices/keep-devices.ts'
import { lockDevicesCalls } from '../devices/lock-devices.ts'
import { moveDevicesCalls } from '../devices/move-devices.ts'
import { createRenewPasswordsCalls } from '../devices/renew-passwords.ts'
import { addAccount, addOrganisation, startTestServer, testTimeZone, type TestServer } from './test-server.ts'

interface Made {
  merchant?: string
  place?: number
  template?: number
  sleepTemplate?: number
  bound?: boolean
  locked?: number
}

type Verb = 'POST' | 'PUT' | 'DELETE'

/** A server with the calls that change devices, agents `north` and `south`, merchants `spa`, `bath` and `gym`. */
export interface TestDevices extends TestServer {
  /** Ids by name. */
  organisations: Record<string, number>
  /** Of `root` (the operator), `north`, `spa`, `gym`, and of `clerk`, who keeps the hall of `spa`. */
  tokens: Record<string, string>
  /** Of `spa`, but for the foyer, which is the gym's. */
  places: Record<'hall' | 'lounge' | 'foyer' | 'gone', number>
  templates: Record<'day' | 'noon' | 'night' | 'gymDay' | 'gone', number>
  idOf(query: string, values?: unknown[]): Promise<number>
  /** A device as it might stand; bound when it is somebody's. */
  have(sid: string, made?: Made): Promise<number>
  /** Lets a device run. */
  run(id: number): Promise<unknown>
  ask<Data = DevicesChanged>(
    who: string,
    verb: Verb,
    path: string,
    body: object,
    language?: string,
  ): Promise<Envelope<Data>>
  rowOf(id: number): Promise<Record<string, unknown>>
  /** What a device's log says, oldest first, and to whom. */
  logOf(id: number): Promise<string[]>
  removeAll(): Promise<void>
}

/** The fields that a refusal names. */
export const fieldsOf = ({ data }: Envelope<unknown>) => Object.keys((data as { fields: object }).fields)

export async function startTestDevices(): Promise<TestDevices> {
  const server = await startTestServer(({ secrets }) => [
    ...createDeviceListCalls(testTimeZone, secrets),
    ...createKeepDevicesCalls(createDeviceCredentials(secrets)),
    ...createRenewPasswordsCalls(createDeviceCredentials(secrets)),
    ...lockDevicesCalls,
    ...moveDevicesCalls,
    ...equipDevicesCalls,
    ...createAuditCalls(testTimeZone),
  ])
  const organisations: Record<string, number> = {}
  const tokens: Record<string, string> = {}
  const idOf = async (query: string, values: unknown[] = []) =>
    (await server.pool.query<{ id: number }>(query, values)).rows[0]?.id ?? 0

  for (const [kind, name, parent] of [
    ['agent', 'north'],
    ['agent', 'south'],
    ['merchant', 'spa', 'north'],
    ['merchant', 'bath', 'north'],
    ['merchant', 'gym', 'south'],
  ] as const)
    organisations[name] = await addOrganisation(server, kind, name, parent ? organisations[parent] : 1)
  const place = (merchant: string, address: string) =>
    idOf('insert into places (merchant_id, address) values ($1, $2) returning id', [
      organisations[merchant],
      address,
    ])
  const template = (merchant: string, name: string, workMode: number) =>
    idOf(
      `insert into goods_templates (merchant_id, name, work_mode, sleep_start, sleep_end) values ($1, $2, $3, '22:00', '08:00') returning id`,
      [organisations[merchant], name, workMode],
    )
  const places = {
    hall: await place('spa', 'hall'),
    lounge: await place('spa', 'lounge'),
    foyer: await place('gym', 'foyer'),
    gone: await place('spa', 'gone'),
  }
  const templates = {
    day: await template('spa', 'day', 0),
    noon: await template('spa', 'noon', 0),
    night: await template('spa', 'night', 1),
    gymDay: await template('gym', 'gym day', 0),
    gone: await template('spa', 'gone', 0),
  }
  await server.pool.query(`update places set removed_at = now() where id = $1`, [places.gone])
  await server.pool.query(`update goods_templates set removed_at = now() where id = $1`, [templates.gone])
  await server.pool.query(`insert into device_models (id, model) values (1, 'M1'), (2, 'M2')`)
  await addAccount(server, { organisationId: 1, userName: 'root', isOwner: true, tree: 'admin' })
  const clerk = await addAccount(server, {
    organisationId: organisations['spa'] ?? 0,
    userName: 'clerk',
    isOwner: false,
    tree: 'merchant',
  })
  await server.pool.query('insert into account_places (account_id, place_id) values ($1, $2)', [
    clerk,
    places.hall,
  ])
  for (const name of ['root', 'north', 'spa', 'gym', 'clerk']) tokens[name] = await server.signIn(name)

  return {
    ...server,
    organisations,
    tokens,
    places,
    templates,
    idOf,
    async have(sid, made = {}) {
      const id = await idOf(
        `insert into devices (sid, name, model_id, merchant_id, place_id, template_id, sleep_template_id, bound, bound_at, locked, wifi_ssid, wifi_password, credential_hash)
     values ($1, 'chair', 1, $2, $3, $4, $5, $6, case when $6 then timestamptz '2026-01-01' end, $7, 'net', '\\x01', '') returning id`,
        [
          sid,
          made.merchant === undefined ? null : organisations[made.merchant],
          made.place ?? null,
          made.template ?? null,
          made.sleepTemplate ?? null,
          made.bound ?? made.merchant !== undefined,
          made.locked ?? 0,
        ],
      )
      await server.pool.query('insert into device_states (device_id) values ($1)', [id])
      return id
    },
    run: (id) =>
      server.pool.query(
        `update device_states set running_command_id = 'c', running_until = now() + interval '5 minutes' where device_id = $1`,
        [id],
      ),
    async ask<Data>(who: string, verb: Verb, path: string, body: object, language = 'en') {
      const answer = await server.call<Data>(verb, path, {
        token: tokens[who] ?? '',
        body,
        headers: { 'accept-language': language },
      })
      return answer.body
    },
    async rowOf(id) {
      const { rows } = await server.pool.query('select * from devices where id = $1', [id])
      return rows[0]
    },
    async logOf(id) {
      const { rows } = await server.pool.query<{
        action: string
        details: Record<string, string>
        merchantId: number | null
        userId: string
      }>(
        `select action, details, merchant_id as "merchantId", user_id as "userId" from device_logs where device_id = $1 order by id`,
        [id],
      )
      return rows.map(({ action, details, merchantId, userId }) => {
        const merchant = Object.entries(organisations).find(([, one]) => one === merchantId)?.[0] ?? 'nobody'
        return `${userId}: ${remarkOf({ action, details, remark: '' }, 'en')} (${merchant})`
      })
    },
    async removeAll() {
      await server.pool.query(
        'truncate devices, device_states, device_logs, device_commands, device_counters, device_counter_deltas cascade',
      )
      // Counts are kept by statements that change rows, which this is not.
      await server.pool.query('update organisations set device_count = 0')
    },
  }
}
