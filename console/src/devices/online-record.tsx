import { listDeviceStatus } from '@chairside/contract'
import { Drawer, Empty, Skeleton } from 'antd'
import { useState } from 'react'
import { useRead } from '../kit/call.ts'
import { formatDateTime, formatSeconds } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { Pager } from '../kit/pager.tsx'
import { StatusTag } from '../kit/status-tag.tsx'

/** When a device was online and when not, newest first (spec 2 §2, "Device status history"). */
export function OnlineRecord({ deviceId, onClose }: { deviceId: string; onClose: () => void }) {
  const say = useTexts()
  const { language } = useLanguage()
  const [{ page, size }, setPage] = useState({ page: 1, size: 10 })
  const read = useRead(listDeviceStatus, { deviceid: deviceId, pagenum: page, pagesize: size })
  return (
    <Drawer
      open
      onClose={onClose}
      size={560}
      title={say('console.devices.onlineTitle', { id: deviceId })}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      {read.isError && <p className="error">{say('console.list.failed', { reason: read.error.message })}</p>}
      {!read.data && !read.isError && <Skeleton active />}
      {read.data?.total === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('console.list.empty')} />
      )}
      {read.data && read.data.total > 0 && (
        <>
          <ul className="cards">
            {read.data.list.map((record) => (
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
            page={page}
            pageSize={size}
            total={read.data.total}
            onChange={(next, nextSize) => setPage({ page: next, size: nextSize })}
          />
        </>
      )}
    </Drawer>
  )
}
