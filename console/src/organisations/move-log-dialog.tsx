import { listMoves, type MoveRecord, type OrganisationRow } from '@chairside/contract'
import { Empty, Modal } from 'antd'
import { useRead } from '../kit/call.ts'
import { DataTable, type TableColumn } from '../kit/data-table.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { ReadState } from '../kit/read-state.tsx'
import { RecordCards } from '../kit/record-cards.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'

interface Props {
  row: OrganisationRow
  onClose: () => void
}

/** Where an agent or merchant was before, newest move first (spec 1 §3, "Move record"). */
export function MoveLogDialog({ row, onClose }: Props) {
  const say = useTexts()
  useAboveThePage(onClose)
  const read = useRead(listMoves, { id: row.id })
  return (
    <Modal
      open
      title={say('organisations.moveLog.title', { name: row.name })}
      width={720}
      onCancel={onClose}
      footer={null}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <ReadState read={read}>
        {read.data?.length === 0 ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('organisations.moveLog.never')} />
        ) : (
          <Moves moves={read.data ?? []} />
        )}
      </ReadState>
    </Modal>
  )
}

const keyOf = (move: MoveRecord) => move.createTime

function Moves({ moves }: { moves: readonly MoveRecord[] }) {
  const say = useTexts()
  const narrow = useNarrow()
  const name = (value: string) => value || <span className="nothing">{say('console.list.none')}</span>
  const columns: TableColumn<MoveRecord>[] = [
    {
      key: 'createTime',
      title: say('organisations.moveRecord.createTime'),
      width: 176,
      draw: ({ createTime }) => <time dateTime={createTime}>{formatDateTime(createTime)}</time>,
    },
    ...(['name', 'fromParent', 'parent', 'createBy'] as const).map((field) => ({
      key: field,
      title: say(`organisations.moveRecord.${field}`),
      width: 120,
      draw: (move: MoveRecord) => name(move[field]),
    })),
  ]
  return narrow ? (
    <RecordCards columns={columns} rows={moves} keyOf={keyOf} hasValue={() => true} />
  ) : (
    <DataTable label={say('organisations.list.moveLog')} columns={columns} rows={moves} keyOf={keyOf} />
  )
}
