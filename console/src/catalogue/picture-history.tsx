import {
  historyPageSize,
  type Endpoint,
  type listBannerPictures,
  type PicturePurpose,
} from '@chairside/contract'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Empty, Modal } from 'antd'
import { useState } from 'react'
import { useRead } from '../kit/call.ts'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'

interface Props {
  /** Lists pictures; each of these calls answers the same. */
  endpoint: Endpoint
  purpose: PicturePurpose
  onPick: (key: string) => void
  onClose: () => void
}

/** Pictures that were sent in before, eight on a page, to be used again (spec 2 §2). */
export function PictureHistory({ endpoint, purpose, onPick, onClose }: Props) {
  const say = useTexts()
  useAboveThePage(onClose)
  const [page, setPage] = useState(1)
  const read = useRead(endpoint as unknown as typeof listBannerPictures, {
    pagenum: page,
    pagesize: historyPageSize,
  })
  const { list = [], total = 0 } = read.data ?? {}
  const pages = Math.max(1, Math.ceil(total / historyPageSize))
  const step = (label: string, to: number, icon: React.ReactNode) => (
    <Button aria-label={label} icon={icon} disabled={to < 1 || to > pages} onClick={() => setPage(to)} />
  )
  return (
    <Modal
      open
      title={say('pictures.historyTitle')}
      width={760}
      footer={null}
      onCancel={onClose}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <ReadState read={read}>
        {total === 0 ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('pictures.historyEmpty')} />
        ) : (
          <>
            <ul className={`picture-history picture-of-${purpose}`}>
              {list.map(({ key, url, uploadTime }) => (
                <li key={key}>
                  <button
                    type="button"
                    onClick={() => {
                      onPick(key)
                      onClose()
                    }}
                  >
                    <img
                      src={url}
                      loading="lazy"
                      alt={say('pictures.pick', { time: formatDateTime(uploadTime) })}
                    />
                    <time dateTime={uploadTime} aria-hidden="true">
                      {formatDateTime(uploadTime)}
                    </time>
                  </button>
                </li>
              ))}
            </ul>
            <nav className="pager" aria-label={say('console.list.page')}>
              <span>{say('console.list.total', { count: total })}</span>
              {step(say('console.list.previous'), page - 1, <LeftOutlined aria-hidden />)}
              <span aria-live="polite">{say('console.list.pageOf', { page, pages })}</span>
              {step(say('console.list.next'), page + 1, <RightOutlined aria-hidden />)}
            </nav>
          </>
        )}
      </ReadState>
    </Modal>
  )
}
