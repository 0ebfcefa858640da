import { pageSizes, type DataOf, type listDeviceLogs, type listDeviceStatus } from '@chairside/contract'
import { Drawer } from 'antd'
import { useState, type ReactNode } from 'react'
import { fieldErrorsOf, useRead } from '../kit/call.ts'
import { DateField } from '../kit/date-field.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { Pager } from '../kit/pager.tsx'
import { EmptyNotice } from '../kit/empty-notice.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'

type DatedList = typeof listDeviceLogs | typeof listDeviceStatus

interface Props<E extends DatedList> {
  deviceId: string
  /** Lists what was noted of one device; takes two days and a page. */
  endpoint: E
  title: string
  /** In pixels. */
  width: number
  onClose: () => void
  /** Draws the lines of a page. */
  children: (lines: DataOf<E>['list']) => ReactNode
}

const days = [
  { name: 'startdate', text: 'console.orders.startDate' },
  { name: 'enddate', text: 'console.orders.endDate' },
] as const

const anyDay = { startdate: '', enddate: '' }

/** What was noted of one device, newest first, page by page, from one day to another (spec 2 §2). */
export function DatedRecord<E extends DatedList>(props: Props<E>) {
  const { deviceId, endpoint, title, width, onClose, children } = props
  const say = useTexts()
  useAboveThePage(onClose)
  const [page, setPage] = useState<{ number: number; size: number }>({ number: 1, size: pageSizes[0] })
  const [wanted, setWanted] = useState(anyDay)
  const input = { deviceid: deviceId, ...wanted, pagenum: page.number, pagesize: page.size }
  const read = useRead<DatedList>(endpoint, input)
  const data = read.data as DataOf<E> | undefined
  const errors = fieldErrorsOf(read.error)
  const total = data?.total ?? 0
  const clear = () => setWanted(anyDay)
  const nothing = <EmptyNotice onClear={wanted.startdate || wanted.enddate ? clear : undefined} />
  return (
    <Drawer
      open
      onClose={onClose}
      size={width}
      title={title}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <div className="filter-grid">
        {days.map(({ name, text }) => (
          <FormField key={name} name={name} label={say(text)} error={errors[name]}>
            {({ id }) => (
              <DateField
                id={id}
                value={wanted[name]}
                isInvalid={errors[name] !== undefined}
                onChange={(day) => {
                  setWanted({ ...wanted, [name]: day })
                  setPage({ ...page, number: 1 })
                }}
              />
            )}
          </FormField>
        ))}
      </div>
      <ReadState read={read} empty={data?.total === 0 ? nothing : undefined}>
        {children(data?.list ?? [])}
        <Pager
          page={page.number}
          pageSize={page.size}
          pages={Math.max(1, Math.ceil(total / page.size))}
          total={total}
          label={title}
          onChange={(number, size) => setPage({ number, size })}
        />
      </ReadState>
    </Drawer>
  )
}
