import {
  dayOfInstant,
  listHistoryOrders,
  listOrders,
  sumHistoryOrders,
  sumOrders,
  type OrderRow,
  type ParsedInputOf,
} from '@chairside/contract'
import { handleList, handleReading, type Call, type CallContext } from '../kit/call.ts'
import type { Scope } from '../kit/scope.ts'
import { narrowScope } from '../organisations/narrow-scope.ts'
import { findOrders, streamOrders, sumOfOrders, type OrderFilter } from './order-list-sql.ts'

type Filters = ParsedInputOf<typeof sumOrders>
type Context = Pick<CallContext<typeof listOrders>, 'db' | 'scope' | 'now' | 'refuseField'> & {
  input: Filters
}

/** Which list of orders: that of the present year unless it is asked for another, or that of earlier ones (decisions §4). */
type Years = 'present' | 'earlier'

/** The filter a call asks for; days outside the chosen year are refused, since they could never match. */
function filterOf({ input, now, refuseField }: Context, years: Years, timeZone: string): OrderFilter {
  const thisYear = Number(dayOfInstant(now, timeZone).slice(0, 4))
  const year = input.year ?? (years === 'present' ? thisYear : thisYear - 1)
  if (years === 'earlier' && year >= thisYear) refuseField('year', 'validation.tooBig', { max: thisYear - 1 })
  for (const field of ['startdate', 'enddate'] as const) {
    const date = input[field]
    if (date !== undefined && Number(date.slice(0, 4)) !== year) refuseField(field, 'validation.notThisYear')
  }
  const startDate = input.startdate ?? `${year}-01-01`
  const endDate = input.enddate ?? `${year}-12-31`
  if (startDate > endDate) refuseField('startdate', 'validation.startAfterEnd')
  return {
    startDate,
    endDate,
    status: input.status === undefined ? undefined : Number(input.status),
    channel: input.paychannel,
    deviceSid: input.devicesid?.toUpperCase(),
    orderId: input.orderid?.toUpperCase(),
    transactionId: input.transactionid,
    payId: input.payid,
  }
}

const scopeOf = ({ db, scope, input }: Context): Promise<Scope | undefined> => narrowScope(db, scope, input)

/** The four calls of the order lists (spec 1 §7): a page and the total income, of this year and of earlier ones. */
export function createOrderListCalls(timeZone: string): Call[] {
  const page = async (context: Context & { input: { pagesize: number; pagenum: number } }, years: Years) => {
    const filter = filterOf(context, years, timeZone)
    const scope = await scopeOf(context)
    if (!scope) return { list: [], total: 0 }
    const { pagesize: take, pagenum } = context.input
    return findOrders(context.db, scope, filter, {
      skip: (pagenum - 1) * take,
      take,
      timeZone,
      now: context.now,
    })
  }
  async function* rows(context: Context, years: Years): AsyncGenerator<OrderRow[]> {
    const filter = filterOf(context, years, timeZone)
    const scope = await scopeOf(context)
    if (scope) yield* streamOrders(context.db, scope, filter, timeZone)
  }
  const sum = async (context: Context, years: Years) => {
    const filter = filterOf(context, years, timeZone)
    const scope = await scopeOf(context)
    return scope ? (await sumOfOrders(context.db, scope, filter, timeZone)).actualCents : 0
  }
  return [
    handleList(listOrders, {
      page: (context) => page(context, 'present'),
      rows: (context) => rows(context, 'present'),
    }),
    handleList(listHistoryOrders, {
      page: (context) => page(context, 'earlier'),
      rows: (context) => rows(context, 'earlier'),
    }),
    handleReading(sumOrders, (context) => sum(context, 'present')),
    handleReading(sumHistoryOrders, (context) => sum(context, 'earlier')),
  ]
}
