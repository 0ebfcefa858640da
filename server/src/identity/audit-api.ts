import { auditCountedMost, listAudit, successCode, type AuditRow } from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import { handleList, type Call, type CallContext } from '../kit/call.ts'
import { findAudit, streamAudit, type AuditEntry, type AuditFilter, type AuditReader } from './audit-sql.ts'
import { changeWords, withClock, withNames, type ChangeWords } from './change-words.ts'
import { describeChanges } from './describe-changes.ts'

type Context = CallContext<typeof listAudit>

/** Rows in the words of a language, by the clock of a time zone. */
function rowsOf(entries: readonly AuditEntry[], language: Language, timeZone: string): AuditRow[] {
  const words = new Map<string, ChangeWords>()
  const wordsOf = (action: string) => {
    const known = words.get(action) ?? withClock(changeWords(language, action), timeZone)
    words.set(action, known)
    return known
  }
  return entries.map(({ names, ...entry }) => rowOf(entry, withNames(wordsOf(entry.action), language, names)))
}

function rowOf({ at, outcome, details, ...entry }: Omit<AuditEntry, 'names'>, words: ChangeWords): AuditRow {
  const { before, after } = details
  const isDone = outcome === successCode
  return {
    ...entry,
    time: at.toISOString(),
    resultCode: outcome,
    outcome: isDone ? 'done' : 'refused',
    // What was only tried has changed nothing.
    changes: isDone ? describeChanges(before, after, words) : '',
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
        return { ...found, list: rowsOf(found.list, context.language, timeZone) }
      },
      rows: async function* (context: Context) {
        for await (const entries of streamAudit(context.db, readerOf(context), filterOf(context), timeZone))
          yield rowsOf(entries, context.language, timeZone)
      },
    }),
  ]
}
