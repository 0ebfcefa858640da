import {
  listRefunds,
  revealRefundPhone,
  refundStatusesOfFilter,
  type ParsedInputOf,
  type RefundRow,
} from '@chairside/contract'
import { handle, handleList, type Call, type CallContext } from '../kit/call.ts'
import { narrowScope } from '../organisations/narrow-scope.ts'
import { findRefundPhone, findRefunds, streamRefunds, type RefundFilter } from './refund-list-sql.ts'

type Context = CallContext<typeof listRefunds>

function filterOf(
  input: ParsedInputOf<typeof listRefunds>,
  refuseField: Context['refuseField'],
): RefundFilter {
  if (input.startdate && input.enddate && input.startdate > input.enddate)
    refuseField('startdate', 'validation.startAfterEnd')
  return {
    startDate: input.startdate,
    endDate: input.enddate,
    statuses: input.status && refundStatusesOfFilter[input.status],
    deviceSid: input.devicesid?.toUpperCase(),
    orderId: input.orderid?.toUpperCase(),
  }
}

/** The refund list (spec 1 §7), and the whole number of one. */
export function createRefundListCalls(timeZone: string): Call[] {
  return [
    handleList(listRefunds, {
      page: async ({ db, scope, input, language, refuseField }) => {
        const filter = filterOf(input, refuseField)
        const narrowed = await narrowScope(db, scope, input)
        if (!narrowed) return { list: [], total: 0 }
        const { pagesize: take, pagenum } = input
        return findRefunds(db, narrowed, filter, { skip: (pagenum - 1) * take, take, timeZone, language })
      },
      rows: async function* ({
        db,
        scope,
        input,
        language,
        refuseField,
      }: Context): AsyncGenerator<RefundRow[]> {
        const filter = filterOf(input, refuseField)
        const narrowed = await narrowScope(db, scope, input)
        if (narrowed) yield* streamRefunds(db, narrowed, filter, { timeZone, language })
      },
    }),
    handle(revealRefundPhone, async ({ db, scope, input, caller, refuse, audit }) => {
      // The key is that of the page of agents and merchants, too.
      if (!caller().permissions.has('refund.list')) return refuse('notFound')
      const found = await findRefundPhone(db, scope, input.id)
      if (!found) return refuse('notFound')
      audit({ target: found.orderId })
      return { phone: found.phone }
    }),
  ]
}
