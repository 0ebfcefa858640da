import {
  incomeDayColumns,
  type DataOf,
  type IncomeDay,
  type reportOrderDays,
  type UserType,
} from '@chairside/contract'
import { Link } from '@tanstack/react-router'
import { drawCell, isNumeric } from '../kit/cell.tsx'
import { DataTable, type TableColumn } from '../kit/data-table.tsx'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { orderListOf } from '../kit/order-lists.ts'
import { RecordCards } from '../kit/record-cards.tsx'
import { useMay, useUser } from '../kit/user.ts'

type Report = DataOf<typeof reportOrderDays>
const keyOf = ({ reportDate }: IncomeDay) => reportDate

interface Props {
  report: Report
  /** The merchant whose income it is; empty for all that the caller sees. */
  merchantId: string
}

/** The row of the sum has a word in place of the date. */
const isDay = ({ reportDate }: IncomeDay) => /^\d/.test(reportDate)

/** The list of the orders of a day. */
function ordersOf({ reportDate }: IncomeDay, type: UserType, merchantId: string) {
  const { to, search } = orderListOf(Number(reportDate.slice(0, 4)), type)
  const wanted = {
    ...search,
    startdate: reportDate,
    enddate: reportDate,
    ...(merchantId && { merchantid: merchantId }),
  }
  return { to: to as '/', search: wanted as never }
}

/** A row for each day, newest first, which leads to its orders, and their sum (spec 3 §2.1). */
export function IncomeTable({ report, merchantId }: Props) {
  const user = useUser()
  const mayOrders = useMay()('order.list')
  const say = useTexts()
  const textOf = useTextOf()
  const narrow = useNarrow()
  const { language } = useLanguage()
  const columns: TableColumn<IncomeDay>[] = incomeDayColumns.map((column) => ({
    key: column.field,
    title: textOf(column.text),
    width: 116,
    isNumeric: isNumeric(column),
    draw: (day) =>
      column.field === 'reportDate' && mayOrders && isDay(day) ? (
        <Link {...ordersOf(day, user.type, merchantId)} title={say('console.reports.ordersOfDay')}>
          {day.reportDate}
        </Link>
      ) : (
        drawCell(column, day[column.field as keyof IncomeDay], language)
      ),
  }))
  const sum: IncomeDay = { reportDate: say('console.reports.total'), ...report.total }
  const rows = report.reportDate.toReversed()
  if (narrow) {
    return (
      <RecordCards
        columns={columns}
        rows={[sum, ...rows]}
        keyOf={keyOf}
        hasValue={(day, { key }) => day[key as keyof IncomeDay] !== 0}
      />
    )
  }
  return (
    <DataTable
      label={say('console.reports.dayTitle')}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      summary={(column) => column.draw(sum)}
    />
  )
}
