import { listDeviceLogs, pageSizes, type DeviceLogRow } from '@chairside/contract'
import { Drawer } from 'antd'
import { useId, useState } from 'react'
import { fieldErrorsOf, useRead } from '../kit/call.ts'
import { DataTable, type TableColumn } from '../kit/data-table.tsx'
import { DateField } from '../kit/date-field.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { Pager } from '../kit/pager.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { RecordCards } from '../kit/record-cards.tsx'
import { useReturnFocus } from '../kit/return-focus.ts'

interface Props {
  deviceId: string
  onClose: () => void
}

/** What was done with a device, newest first (spec 2 §2, "Device log dialog"). */
export function LogDialog({ deviceId, onClose }: Props) {
  const say = useTexts()
  useReturnFocus()
  const id = useId()
  const [page, setPage] = useState<{ number: number; size: number }>({ number: 1, size: pageSizes[0] })
  const [days, setDays] = useState({ startdate: '', enddate: '' })
  const read = useRead(listDeviceLogs, {
    deviceid: deviceId,
    ...days,
    pagenum: page.number,
    pagesize: page.size,
  })
  const errors = fieldErrorsOf(read.error)
  const total = read.data?.total ?? 0
  const dayField = (name: keyof typeof days, label: string) => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <DateField
        id={`${id}-${name}`}
        value={days[name]}
        isInvalid={errors[name] !== undefined}
        onChange={(day) => {
          setDays({ ...days, [name]: day })
          setPage({ ...page, number: 1 })
        }}
      />
      {errors[name] && <p className="error">{errors[name]}</p>}
    </div>
  )
  return (
    <Drawer
      open
      onClose={onClose}
      size={680}
      title={say('devices.logDialog.title', { id: deviceId })}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <div className="filter-grid">
        {dayField('startdate', say('console.orders.startDate'))}
        {dayField('enddate', say('console.orders.endDate'))}
      </div>
      <ReadState read={read} isEmpty={read.data?.total === 0}>
        <Lines lines={read.data?.list ?? []} label={say('devices.logDialog.title', { id: deviceId })} />
        <Pager
          page={page.number}
          pageSize={page.size}
          pages={Math.max(1, Math.ceil(total / page.size))}
          total={total}
          label={say('devices.logDialog.title', { id: deviceId })}
          onChange={(number, size) => setPage({ number, size })}
        />
      </ReadState>
    </Drawer>
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
