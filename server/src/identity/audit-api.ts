import { auditCountedMost, listAudit, type AuditRow } from '@chairside/contract'
import { handleList, type Call, type CallContext } from '../kit/call.ts'
import { findAudit, streamAudit, type AuditEntry, type AuditFilter, type AuditReader } from './audit-sql.ts'
import { describeChanges } from './describe-changes.ts'

type Context = CallContext<typeof listAudit>

function rowOf({ at, outcome, details, ...entry }: AuditEntry): AuditRow {
  const { before, after } = details
  return {
    ...entry,
    time: at.toISOString(),
    resultCode: outcome,
    outcome: outcome === '000' ? 'done' : 'refused',
    changes: describeChanges(before, after),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
}

function filterOf({ input, refuseField }: Context): AuditFilter {
  const { startdate, enddate, outcome } = input
  if (startdate && enddate && startdate > enddate) refuseField('startdate', 'validation.startAfterEnd')
  return {
    userName: input.username,
    action: input.action,
    target: input.target,
    refused: outcome && outcome === 'refused',
    period: { ...(startdate ? { startDate: startdate } : {}), ...(enddate ? { endDate: enddate } : {}) },
  }
}

const readerOf = ({ scope, caller }: Context): AuditReader => ({ scope, accountId: caller().accountId })

/** The audit trail. */
export function createAuditCalls(timeZone: string): Call[] {
  return [
    handleList(listAudit, {
      page: async (context) => {
        const { pagesize: take, pagenum } = context.input
        const page = { skip: (pagenum - 1) * take, take, timeZone, countedMost: auditCountedMost }
        const found = await findAudit(context.db, readerOf(context), filterOf(context), page)
        return { ...found, list: found.list.map(rowOf) }
      },
      rows: async function* (context: Context) {
        for await (const entries of streamAudit(context.db, readerOf(context), filterOf(context), timeZone))
          yield entries.map(rowOf)
      },
    }),
  ]
}
