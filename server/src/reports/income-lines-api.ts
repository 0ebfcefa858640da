import { dayOfInstant, listIncomeLines, sumIncomeLines, type IncomeLine } from '@chairside/contract'
import { instantsOfDays } from '../kit/calendar.ts'
import { handleList, handleReading, type Call, type CallContext } from '../kit/call.ts'
import { narrowScope } from '../organisations/narrow-scope.ts'
import { findLines, streamLines, sumOfLines, type LineFilter } from './income-lines-sql.ts'

/** What the cells of the daily income sum up (spec 3 §2.1). */
export function createIncomeLineCalls(timeZone: string): Call[] {
  const filterOf = ({ day, part }: CallContext<typeof sumIncomeLines>['input']): LineFilter => ({
    ...instantsOfDays(day, day, timeZone),
    part,
  })
  const lineOf = ({
    orderTime,
    at,
    ...line
  }: Awaited<ReturnType<typeof findLines>>['list'][number]): IncomeLine => ({
    ...line,
    at: at.toISOString(),
    year: Number(dayOfInstant(orderTime, timeZone).slice(0, 4)),
  })
  return [
    handleList(listIncomeLines, {
      async page({ db, scope, input }) {
        const narrowed = await narrowScope(db, scope, input)
        if (!narrowed) return { list: [], total: 0 }
        const { pagesize: take, pagenum } = input
        const page = { skip: (pagenum - 1) * take, take }
        const { list, total } = await findLines(db, narrowed, filterOf(input), page)
        return { list: list.map(lineOf), total }
      },
      async *rows({ db, scope, input }) {
        const narrowed = await narrowScope(db, scope, input)
        if (!narrowed) return
        for await (const lines of streamLines(db, narrowed, filterOf(input))) yield lines.map(lineOf)
      },
    }),
    handleReading(sumIncomeLines, async ({ db, scope, input }) => {
      const narrowed = await narrowScope(db, scope, input)
      return narrowed ? sumOfLines(db, narrowed, filterOf(input)) : 0
    }),
  ]
}
