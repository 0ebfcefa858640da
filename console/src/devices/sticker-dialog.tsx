import { DownloadOutlined } from '@ant-design/icons'
import { Button, Modal, Progress } from 'antd'
import type { ReactNode } from 'react'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'
import { useStickerZip, type ZipRequest } from './sticker-zip.ts'

interface Props {
  title: string
  request: ZipRequest
  /** How many devices there will be. */
  total: number
  /** Which devices they are. */
  children: ReactNode
  onClose: () => void
}

/** Downloads QR codes as one zip, telling how many of how many are done. */
export function StickerDialog({ title, request, total, children, onClose }: Props) {
  const say = useTexts()
  useAboveThePage(onClose)
  const { language } = useLanguage()
  const { done, run, cancel } = useStickerZip()
  const download = async () => {
    if (await run(request)) onClose()
  }
  const progress =
    done === null
      ? ''
      : say('stickers.progress', { done: formatCount(done, language), total: formatCount(total, language) })
  return (
    <Modal
      open
      title={title}
      onCancel={onClose}
      footer={null}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      {children}
      <p className="hint">{say('stickers.explain')}</p>
      {done !== null && (
        <div role="status">
          {progress}
          <Progress
            aria-label={progress}
            percent={Math.floor((100 * done) / Math.max(1, total))}
            showInfo={false}
          />
        </div>
      )}
      <div className="dialog-actions">
        <Button onClick={done === null ? onClose : cancel}>
          {say(done === null ? 'console.form.cancel' : 'stickers.cancel')}
        </Button>
        <Button
          type="primary"
          icon={<DownloadOutlined aria-hidden />}
          loading={done !== null}
          onClick={() => void download()}
        >
          {say('stickers.download')}
        </Button>
      </div>
    </Modal>
  )
}
