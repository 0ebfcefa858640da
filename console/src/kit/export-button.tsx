import { sheetType, type Endpoint, type InputOf } from '@chairside/contract'
import { CloseOutlined, DownloadOutlined } from '@ant-design/icons'
import { App } from 'antd'
import { useRef, useState } from 'react'
import { readEnvelope, requestOf, send } from './call.ts'
import { readStream, saveFile } from './download.ts'
import { formatBytes, formatCount } from './formats.ts'
import { useLanguage, useTexts } from './language.tsx'
import { ToolButton } from './tool-button.tsx'

/** The second press of a double click is not meant to cancel what the first one began. */
const doublePressMs = 500

interface Props<E extends Endpoint> {
  endpoint: E
  input: InputOf<E>
  /** How many rows will come, when that is known. */
  rows?: number | undefined
}

/** Exports what a list shows, all pages of it, as the Excel file of its call; says how far it is and can be cancelled. */
export function ExportButton<E extends Endpoint>({ endpoint, input, rows }: Props<E>) {
  const say = useTexts()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const [bytes, setBytes] = useState<number | null>(null)
  const abort = useRef<AbortController | null>(null)
  const pressedAt = useRef(-doublePressMs)
  const fileName = endpoint.sheet?.fileName ?? 'export.xlsx'

  const run = async () => {
    const controller = new AbortController()
    abort.current = controller
    setBytes(0)
    try {
      const { url } = requestOf(endpoint, input)
      const response = await send(url, { accept: sheetType, signal: controller.signal })
      if (!response.headers.get('content-type')?.includes('spreadsheet')) await readEnvelope(response)
      const file = await readStream(response, sheetType, setBytes)
      saveFile(file, fileName)
      void message.success(
        say('console.list.exported', { name: fileName, size: formatBytes(file.size, language) }),
      )
    } catch (error) {
      if (!controller.signal.aborted)
        void message.error(say('console.form.failed', { reason: (error as Error).message }))
    } finally {
      setBytes(null)
    }
  }
  const isUnderWay = bytes !== null
  const press = () => {
    const now = performance.now()
    if (now - pressedAt.current < doublePressMs) return
    pressedAt.current = now
    if (isUnderWay) abort.current?.abort()
    else void run()
  }
  const size = formatBytes(bytes ?? 0, language)
  return (
    <>
      {isUnderWay && (
        <span className="hint" role="status">
          {rows === undefined
            ? say('console.list.exporting', { size })
            : say('console.list.exportingRows', { size, count: formatCount(rows, language) })}
        </span>
      )}
      {/* One button, so that the focus stays on it. */}
      <ToolButton
        icon={isUnderWay ? <CloseOutlined aria-hidden /> : <DownloadOutlined aria-hidden />}
        text={say(isUnderWay ? 'console.list.exportCancel' : 'console.list.export')}
        onClick={press}
      />
    </>
  )
}
