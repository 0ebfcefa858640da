import {
  incomeDayColumns,
  type DataOf,
  type IncomeDay,
  type IncomePart,
  type reportOrderDays,
  type SheetColumn,
  type UserType,
} from '@chairside/contract'
import { Link } from '@tanstack/react-router'
import { useAddress } from '../kit/address.ts'
import { drawCell, isNumeric } from '../kit/cell.tsx'
import { DataTable, type TableColumn } from '../kit/data-table.tsx'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { orderListOf } from '../kit/order-lists.ts'
import { RecordCards } from '../kit/record-cards.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { withLines } from './lines-address.ts'

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

/** The cells that lead to what they sum up, with the count beside each. */
const partOfCell: Partial<Record<string, { part: IncomePart | ''; count: keyof IncomeDay }>> = {
  qrcodePayIncome: { part: 'qrcodePay', count: 'qrcodePayCount' },
  rechargeIncome: { part: 'recharge', count: 'rechargeCount' },
  otherIncome: { part: 'other', count: 'otherCount' },
  totalIncome: { part: '', count: 'totalCount' },
}

/** A row for each day, newest first, which leads to its orders and each cell to its lines, and their sum (spec 3 §2.1). */
export function IncomeTable({ report, merchantId }: Props) {
  const user = useUser()
  const mayOrders = useMay()('order.list')
  const say = useTexts()
  const textOf = useTextOf()
  const narrow = useNarrow()
  const { language } = useLanguage()
  const [state] = useAddress()
  const drawPlain = (column: SheetColumn, day: IncomeDay) =>
    drawCell(column, day[column.field as keyof IncomeDay], language)
  const drawIncome = (column: SheetColumn, day: IncomeDay) => {
    const cell = partOfCell[column.field]
    const drawn = drawPlain(column, day)
    // What came in and went back again is nothing too, and has its lines.
    const hasLines = cell && (day[column.field as keyof IncomeDay] !== 0 || day[cell.count] !== 0)
    if (!hasLines || !isDay(day)) return drawn
    return (
      <Link
        to={'.' as '/'}
        search={withLines(state, day.reportDate, cell.part) as never}
        title={say('console.reports.linesOfDay')}
      >
        {drawn}
      </Link>
    )
  }
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
        drawIncome(column, day)
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
        hasValue={(day, { key }) => key === 'totalIncome' || day[key as keyof IncomeDay] !== 0}
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
