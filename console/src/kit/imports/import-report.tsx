import { pageSizes, type ImportOutcome, type SheetImport } from '@chairside/contract'
import { joinWords } from '@chairside/contract/locales/languages'
import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { DataTable, type TableColumn } from '../data-table.tsx'
import { saveFile } from '../download.ts'
import { formatCount, formatDateTime } from '../formats.ts'
import { useLanguage, useTextOf, useTexts } from '../language.tsx'
import { useNarrow } from '../narrow.ts'
import { Pager } from '../pager.tsx'
import { RecordCards } from '../record-cards.tsx'
import './imports.css'

interface Props {
  declared: SheetImport
  outcome: ImportOutcome
}

/** The outcome of a file, expected or real: how many rows, what prevents the import, and each row with its mistakes. */
export function ImportReport({ declared, outcome }: Props) {
  const say = useTexts()
  const { language } = useLanguage()
  const { dryRun, total, good, bad, ignored, repeats } = outcome
  const figures = [
    ['total', say('imports.total'), total],
    ['good', say(dryRun ? 'imports.good' : 'imports.imported'), good],
    ['bad', say(dryRun ? 'imports.bad' : 'imports.notImported'), bad],
  ] as const
  return (
    <section className="import-report">
      <div role="status">
        <dl className="import-figures">
          {figures.map(([key, label, count]) => (
            <div key={key} className={`import-${key}`} data-count={count}>
              <dt>{label}</dt>
              <dd>{formatCount(count, language)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {dryRun && <p>{say(forecastOf(outcome))}</p>}
      {dryRun && repeats && (
        <p className="import-warning" role="alert">
          {say('imports.repeats', {
            userName: repeats.userName,
            at: formatDateTime(repeats.at),
            good: formatCount(repeats.good, language),
          })}
          {good > 0 && ` ${say('imports.repeatsTwice')}`}
        </p>
      )}
      {ignored.length > 0 && (
        <p className="hint">{say('imports.ignored', { titles: joinWords(ignored, language) })}</p>
      )}
      {bad > 0 && <FailedRows declared={declared} outcome={outcome} />}
    </section>
  )
}

function forecastOf({ good, bad, repeats }: ImportOutcome) {
  if (good === 0) return repeats ? 'imports.noneGoodRepeated' : 'imports.noneGood'
  return bad === 0 ? 'imports.allGood' : 'imports.someGood'
}

type FailedRow = ImportOutcome['rows'][number]

/** The rows that failed, page by page, and the file of them. */
function FailedRows({ declared, outcome: { rows, failedRows } }: Props) {
  const say = useTexts()
  const textOf = useTextOf()
  const narrow = useNarrow()
  const [paging, setPaging] = useState<{ page: number; pageSize: number }>({
    page: 1,
    pageSize: pageSizes[0],
  })
  const { page, pageSize } = paging
  const titleOf = (field: string) => {
    const column = declared.columns.find((one) => one.field === field)
    return column ? textOf(column.text) : field
  }
  const columns: TableColumn<FailedRow>[] = [
    {
      key: 'row',
      title: say('imports.row'),
      width: 64,
      draw: ({ row }) => (narrow ? `${say('imports.row')} ${row}` : row),
    },
    {
      key: 'name',
      title: say('imports.content'),
      width: 160,
      draw: ({ name }) => <span className="import-name">{name}</span>,
    },
    {
      key: 'mistakes',
      title: say('imports.mistakes'),
      width: 360,
      draw: ({ fields }) => (
        <ul className="import-mistakes">
          {Object.entries(fields).map(([field, mistake]) => (
            <li key={field}>
              <strong>{titleOf(field)}</strong> {mistake}
            </li>
          ))}
        </ul>
      ),
    },
  ]
  const shown = rows.slice((page - 1) * pageSize, page * pageSize)
  const keyOf = ({ row }: FailedRow) => String(row)
  return (
    <>
      {narrow ? (
        <RecordCards
          columns={columns}
          rows={shown}
          keyOf={keyOf}
          hasValue={({ name }, { key }) => key !== 'name' || name !== ''}
        />
      ) : (
        <DataTable label={say('imports.bad')} columns={columns} rows={shown} keyOf={keyOf} />
      )}
      {rows.length > pageSizes[0] && (
        <Pager
          page={page}
          pageSize={pageSize}
          pages={Math.max(1, Math.ceil(rows.length / pageSize))}
          total={rows.length}
          label={say('imports.bad')}
          onChange={(turned, size) => setPaging({ page: turned, pageSize: size })}
        />
      )}
      <Button
        icon={<DownloadOutlined aria-hidden />}
        onClick={() => saveFile(fileOf(failedRows), declared.fileNames.failed)}
      >
        {say('imports.saveFailed')}
      </Button>
    </>
  )
}

const fileOf = (base64: string) => new Blob([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))])
