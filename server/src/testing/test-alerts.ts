import type { AlertRow } from '@chairside/contract'
import { createAlertCalls } from '../devices/alerts/alert-calls.ts'
import { lookForAlerts } from '../devices/alerts/look-for-alerts.ts'
import type { AlertTimes } from '../devices/alerts/symptoms-sql.ts'
import { addAccount, addOrganisation, startTestServer, testTimeZone, type TestServer } from './test-server.ts'

export const alertTimes: AlertTimes = { offlineMinutes: 10, weakSignalMinutes: 30, settleMinutes: 5 }

/** A clock that a test turns: noon of a Wednesday in the platform's time zone, and minutes since. */
const noon = Date.parse('2026-11-18T12:00:00+08:00')

export interface TestAlerts extends TestServer {
  /** Ids by name: agents `north` and `south`, their merchants `spa` and `gym`, spa's places `hall` and `lounge`, gym's `foyer`. */
  ids: Record<string, number>
  at(minutes: number): Date
  /** Without devices and alerts again, all places open all day. */
  clear(): Promise<void>
  /** Adds devices that are online since long ago. */
  addDevices(sids: readonly string[], stand?: { merchant?: string; place?: string | null }): Promise<void>
  /** What a board's reports would leave behind at an instant. */
  report(
    sids: string | readonly string[],
    minutes: number,
    state: { status?: number; signal?: number; code?: string },
  ): Promise<void>
  /** The look of a minute. */
  look(minutes: number): Promise<boolean>
  /** Looks every minute, both included. */
  lookFrom(first: number, last: number): Promise<void>
  alertsOf(who: string, query?: Record<string, string | number>): Promise<AlertRow[]>
  /** What a merchant's list of open alerts says, in short. */
  open(who?: string): Promise<string[]>
  as<Data = unknown>(
    who: string,
    verb: 'GET' | 'PUT',
    path: string,
    body?: unknown,
  ): Promise<{ resultCode: string; success: boolean; data: Data }>
}

/** Two merchants of two agents with places, a clerk of one place, and alerts over their devices. */
export async function startTestAlerts(): Promise<TestAlerts> {
  const server = await startTestServer(() => createAlertCalls(testTimeZone))
  const { db, pool } = server
  const ids: Record<string, number> = {}
  const idOf = async (text: string, values: unknown[]) =>
    (await pool.query<{ id: number }>(text, values)).rows[0]?.id ?? 0
  ids['north'] = await addOrganisation(server, 'agent', 'north')
  ids['south'] = await addOrganisation(server, 'agent', 'south')
  ids['spa'] = await addOrganisation(server, 'merchant', 'spa', ids['north'])
  ids['gym'] = await addOrganisation(server, 'merchant', 'gym', ids['south'])
  for (const [name, merchant] of [
    ['hall', 'spa'],
    ['lounge', 'spa'],
    ['foyer', 'gym'],
  ] as const) {
    ids[name] = await idOf('insert into places (merchant_id, address) values ($1, $2) returning id', [
      ids[merchant],
      name,
    ])
  }
  ids['template'] = await idOf(
    `insert into goods_templates (merchant_id, name, work_mode) values ($1, 'day', 0) returning id`,
    [ids['spa']],
  )
  ids['model'] = await idOf(`insert into device_models (model) values ('M1') returning id`, [])
  await addAccount(server, { organisationId: 1, userName: 'root', isOwner: true, tree: 'admin' })
  const spaClerk = {
    organisationId: ids['spa'],
    userName: 'clerk',
    isOwner: false,
    tree: 'merchant',
  } as const
  const clerk = await addAccount(server, spaClerk)
  await pool.query('insert into account_places (account_id, place_id) values ($1, $2)', [clerk, ids['hall']])

  const at = (minutes: number) => new Date(noon + minutes * 60_000)
  const tokens = new Map<string, string>()
  const as: TestAlerts['as'] = async <Data>(
    who: string,
    verb: 'GET' | 'PUT',
    path: string,
    body?: unknown,
  ) => {
    const token = tokens.get(who) ?? (await server.signIn(who))
    tokens.set(who, token)
    return (await server.call<Data>(verb, path, { token, ...(body === undefined ? {} : { body }) })).body
  }
  const alertsOf: TestAlerts['alertsOf'] = async (who, query = {}) => {
    const search = new URLSearchParams(query as Record<string, string>)
    return (await as<{ list: AlertRow[] }>(who, 'GET', `/api/alerts?${search}`)).data.list
  }
  const look = (minutes: number) => lookForAlerts(db, alertTimes, at(minutes))
  return {
    ...server,
    ids,
    at,
    as,
    alertsOf,
    look,
    async clear() {
      await pool.query(`
        delete from device_alerts; delete from device_symptoms; delete from device_mutes; delete from device_logs;
        delete from device_states; delete from devices;
        update places set open_time = null, close_time = null; update organisations set status = 1 where status = 2`)
    },
    async lookFrom(first, last) {
      for (let minute = first; minute <= last; minute++) await look(minute)
    },
    async open(who = 'spa') {
      return (await alertsOf(who)).map(
        ({ kind, deviceId, placeAddress, devices, placeDevices, times }) =>
          `${kind} ${deviceId || `${placeAddress} ${devices}/${placeDevices}`}${times > 1 ? ` ×${times}` : ''}`,
      )
    },
    async addDevices(sids, { merchant = 'spa', place = 'hall' } = {}) {
      await pool.query(
        `with made as (
           insert into devices (sid, name, model_id, merchant_id, place_id, template_id, bound, bound_at, credential_hash)
           select sid, sid, $2, $3, $4, $5, true, $6, '' from unnest($1::text[]) as sid returning id)
         insert into device_states (device_id, status, signal, last_seen_at, status_since) select id, 1, 4, $6, $6 from made`,
        [
          sids,
          ids['model'],
          ids[merchant],
          place === null ? null : ids[place],
          ids['template'],
          at(-100_000),
        ],
      )
    },
    async report(sids, minutes, { status, signal, code }) {
      await pool.query(
        `update device_states s
            set status_since = case when s.status <> coalesce($3, s.status) then $2 else s.status_since end,
                status = coalesce($3, s.status), signal = coalesce($4, case $3 when 2 then 0 when 1 then 4 else s.signal end),
                trouble_code = coalesce($5, s.trouble_code), last_seen_at = $2
           from devices d where d.id = s.device_id and d.sid = any($1::text[])`,
        [[sids].flat(), at(minutes), status ?? null, signal ?? null, code ?? null],
      )
    },
  }
}
