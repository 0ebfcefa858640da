import { listDeviceLogs, type DeviceLogRow } from '@chairside/contract'
import { DataTable, type TableColumn } from '../kit/data-table.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { RecordCards } from '../kit/record-cards.tsx'
import { DatedRecord } from './dated-record.tsx'

interface Props {
  deviceId: string
  onClose: () => void
}

/** What was done with a device, newest first (spec 2 §2, "Device log dialog"). */
export function LogDialog({ deviceId, onClose }: Props) {
  const say = useTexts()
  const title = say('devices.logDialog.title', { id: deviceId })
  return (
    <DatedRecord deviceId={deviceId} endpoint={listDeviceLogs} title={title} width={680} onClose={onClose}>
      {(lines) => <Lines lines={lines} label={title} />}
    </DatedRecord>
  )
}

/** Two lines may be of one moment: they differ in what was done. */
const keyOf = ({ operateTime, remark }: DeviceLogRow) => `${operateTime} ${remark}`

function Lines({ lines, label }: { lines: readonly DeviceLogRow[]; label: string }) {
  const say = useTexts()
  const narrow = useNarrow()
  const columns: TableColumn<DeviceLogRow>[] = [
    {
      key: 'operateTime',
      title: say('devices.logDialog.operateTime'),
      width: 176,
      draw: ({ operateTime }) => <time dateTime={operateTime}>{formatDateTime(operateTime)}</time>,
    },
    { key: 'userId', title: say('devices.logDialog.userId'), width: 128, draw: ({ userId }) => userId },
    {
      key: 'remark',
      title: say('devices.logDialog.remark'),
      width: 280,
      draw: ({ remark }) => <span className="log-remark">{remark}</span>,
    },
  ]
  return narrow ? (
    <RecordCards columns={columns} rows={lines} keyOf={keyOf} hasValue={() => true} />
  ) : (
    <DataTable label={label} columns={columns} rows={lines} keyOf={keyOf} />
  )
}
