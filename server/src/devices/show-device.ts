import { listDeviceLogs, showDevice, type DeviceLogRow } from '@chairside/contract'
import { handleList, handleReading, type Call, type CallContext } from '../kit/call.ts'
import {
  findDeviceLogs,
  hasLogWithin,
  streamDeviceLogs,
  type DeviceLogRecord,
  type LogFilter,
} from './device-log-sql.ts'
import { remarkOf } from './device-log.ts'
import { findDevicesWithin } from './live-devices-sql.ts'

type LogContext = CallContext<typeof listDeviceLogs>

const filterOf = ({ input, refuseField }: LogContext): LogFilter => {
  if (input.startdate && input.enddate && input.startdate > input.enddate)
    refuseField('startdate', 'validation.startAfterEnd')
  return { sid: input.deviceid.toUpperCase(), startDate: input.startdate, endDate: input.enddate }
}

const rowOf = (record: DeviceLogRecord, { language }: LogContext): DeviceLogRow => ({
  operateTime: record.operateTime.toISOString(),
  userId: record.userId,
  remark: remarkOf(record, language),
})

/** A device's log, and the address of its customer page. */
export function createShowDeviceCalls({
  timeZone,
  publicUrl,
}: {
  timeZone: string
  publicUrl: string
}): Call[] {
  return [
    handleList(listDeviceLogs, {
      page: async (context) => {
        const filter = filterOf(context)
        const { db, scope, input, refuse } = context
        if (!(await hasLogWithin(db, scope, filter.sid))) return refuse('notFound')
        const { pagesize: take, pagenum } = input
        const page = { skip: (pagenum - 1) * take, take, timeZone }
        const { list, total } = await findDeviceLogs(db, scope, filter, page)
        return { list: list.map((record) => rowOf(record, context)), total }
      },
      rows: async function* (context: LogContext) {
        const filter = filterOf(context)
        const { db, scope, refuse } = context
        if (!(await hasLogWithin(db, scope, filter.sid))) return refuse('notFound')
        for await (const records of streamDeviceLogs(db, scope, filter, timeZone))
          yield records.map((record) => rowOf(record, context))
      },
    }),
    handleReading(showDevice, async ({ db, scope, input, refuse }) => {
      const [sid] = await findDevicesWithin(db, scope, [input.deviceId.toUpperCase()])
      return sid === undefined ? refuse('notFound') : new URL(`/d/${sid}`, publicUrl).href
    }),
  ]
}
