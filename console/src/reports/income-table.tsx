import { incomeDayColumns, type DataOf, type IncomeDay, type reportOrderDays } from '@chairside/contract'
import { drawCell, isNumeric } from '../kit/cell.tsx'
import { DataTable, type TableColumn } from '../kit/data-table.tsx'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { RecordCards } from '../kit/record-cards.tsx'

type Report = DataOf<typeof reportOrderDays>
const keyOf = ({ reportDate }: IncomeDay) => reportDate

/** A row for each day, newest first, and their sum (spec 3 §2.1). */
export function IncomeTable({ report }: { report: Report }) {
  const say = useTexts()
  const textOf = useTextOf()
  const narrow = useNarrow()
  const { language } = useLanguage()
  const columns: TableColumn<IncomeDay>[] = incomeDayColumns.map((column) => ({
    key: column.field,
    title: textOf(column.text),
    width: 116,
    isNumeric: isNumeric(column),
    draw: (day) => drawCell(column, day[column.field as keyof IncomeDay], language),
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
