import { listDeviceStatus, pageSizes } from '@chairside/contract'
import { Drawer } from 'antd'
import { useId, useState } from 'react'
import { fieldErrorsOf, useRead } from '../kit/call.ts'
import { DateField } from '../kit/date-field.tsx'
import { formatDateTime, formatSeconds } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { Pager } from '../kit/pager.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { StatusTag } from '../kit/status-tag.tsx'
import { useReturnFocus } from '../kit/return-focus.ts'

/** When a device was online and when not, newest first (spec 2 §2, "Device status history"). */
export function OnlineRecord({ deviceId, onClose }: { deviceId: string; onClose: () => void }) {
  const say = useTexts()
  useReturnFocus()
  const { language } = useLanguage()
  const id = useId()
  const [page, setPage] = useState<{ number: number; size: number }>({ number: 1, size: pageSizes[0] })
  const [days, setDays] = useState({ startdate: '', enddate: '' })
  const read = useRead(listDeviceStatus, {
    deviceid: deviceId,
    ...days,
    pagenum: page.number,
    pagesize: page.size,
  })
  const errors = fieldErrorsOf(read.error)
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
      size={560}
      title={say('console.devices.onlineTitle', { id: deviceId })}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <div className="filter-grid">
        {dayField('startdate', say('console.orders.startDate'))}
        {dayField('enddate', say('console.orders.endDate'))}
      </div>
      <ReadState read={read} isEmpty={read.data?.total === 0}>
        <ul className="cards">
          {read.data?.list.map((record) => (
            <li key={record.reportTime} className="card">
              <StatusTag of="devices.status" value={String(record.status)} />{' '}
              <time dateTime={record.reportTime}>{formatDateTime(record.reportTime)}</time>
              <div className="hint">
                {say('console.devices.duration')} {formatSeconds(record.duration, language)} ·{' '}
                {record.hostName}
              </div>
            </li>
          ))}
        </ul>
        <Pager
          page={page.number}
          pageSize={page.size}
          pages={Math.max(1, Math.ceil((read.data?.total ?? 0) / page.size))}
          total={read.data?.total ?? 0}
          label={say('console.devices.onlineTitle', { id: deviceId })}
          onChange={(number, size) => setPage({ number, size })}
        />
      </ReadState>
    </Drawer>
  )
}
