import {
  acknowledgeAlerts,
  countAlerts,
  listAlertDevices,
  listAlerts,
  listMutedDevices,
  longestMuteDays,
  muteDevices,
} from '@chairside/contract'
import { handle, handleList, handleReading, type Call, type CallContext } from '../../kit/call.ts'
import { sql } from '../../kit/database.ts'
import { narrowScope } from '../../organisations/narrow-scope.ts'
import { changeDevices } from '../change-devices.ts'
import {
  countOpenAlerts,
  findAlertDevices,
  findAlerts,
  findMutedDevices,
  storeViews,
  streamAlerts,
  type AlertFilter,
  type AlertReader,
} from './alert-list-sql.ts'

type ListContext = CallContext<typeof listAlerts>

function filterOf({ input, refuseField }: ListContext): AlertFilter {
  const { startdate, enddate } = input
  if (startdate && enddate && startdate > enddate) refuseField('startdate', 'validation.startAfterEnd')
  return {
    state: input.state,
    kind: input.kind,
    deviceId: input.deviceid?.toUpperCase(),
    placeId: input.placeid,
    startDate: startdate,
    endDate: enddate,
  }
}

/** The reader, narrowed to the merchant or agent that is asked for; undefined when nothing of it is theirs. */
async function readerOf(
  { db, scope, input, caller }: ListContext,
  timeZone: string,
): Promise<AlertReader | undefined> {
  const wanted = { merchantid: input.merchantid, agentid: input.agentId }
  const narrowed = await narrowScope(db, scope, wanted)
  return narrowed && { scope: narrowed, organisationId: caller().organisationId, timeZone }
}

const dayMs = 86_400_000

/** Alerts of devices: their list, who saw them, and devices nobody wants to hear of. */
export function createAlertCalls(timeZone: string): Call[] {
  return [
    handleList(listAlerts, {
      page: async (context) => {
        const filter = filterOf(context)
        const reader = await readerOf(context, timeZone)
        if (!reader) return { list: [], total: 0 }
        const { pagesize: take, pagenum } = context.input
        return findAlerts(context.db, reader, filter, { skip: (pagenum - 1) * take, take })
      },
      rows: async function* (context: ListContext) {
        const filter = filterOf(context)
        const reader = await readerOf(context, timeZone)
        if (reader) yield* streamAlerts(context.db, reader, filter)
      },
    }),
    handleReading(listAlertDevices, async ({ db, scope, input, refuse }) => {
      const list = await findAlertDevices(db, scope, input.id)
      return list ? { list } : refuse('notFound')
    }),
    handleReading(countAlerts, ({ db, scope, caller }) =>
      countOpenAlerts(db, { scope, organisationId: caller().organisationId }),
    ),
    handle(acknowledgeAlerts, async ({ db, scope, input, caller, refuse, audit }) => {
      const ids = [...new Set(input.ids)]
      if (ids.length === 0) return refuse('nothingSelected')
      audit({ target: ids.join(', ') })
      const { found, seen } = await storeViews(db, scope, caller(), ids)
      return found < ids.length ? refuse('notFound') : { seen }
    }),
    handle(muteDevices, (context) => {
      const { db, input, now, caller, refuseField } = context
      const until = input.until === undefined ? undefined : new Date(input.until)
      if (until && until <= now) refuseField('until', 'validation.notPast')
      if (until && until.getTime() > now.getTime() + longestMuteDays * dayMs)
        refuseField('until', 'validation.periodTooLong', { max: longestMuteDays })
      return changeDevices(context, {
        judge: ({ merchantId }) => (merchantId === null ? 'deviceUnassigned' : undefined),
        apply: async (devices) => {
          const ids = devices.map(({ id }) => id)
          if (until) {
            await sql`
              insert into device_mutes (device_id, muted_until, muted_by)
              select id, ${until}, ${caller().userName} from unnest(${ids}::bigint[]) as id
              on conflict (device_id) do update
                 set muted_until = excluded.muted_until, muted_at = now(), muted_by = excluded.muted_by`.execute(
              db,
            )
          } else {
            await sql`delete from device_mutes where device_id = any(${ids}::bigint[])`.execute(db)
          }
        },
        before: () => ({}),
        after: () => ({ mutedUntil: until?.toISOString() ?? null }),
        log: ({ merchantId }) => [{ merchantId, action: until ? 'muted' : 'unmuted' }],
      })
    }),
    handleReading(listMutedDevices, async ({ db, scope, now }) => ({
      list: await findMutedDevices(db, scope, now),
    })),
  ]
}
