import type { Endpoint, InputOf } from '@chairside/contract'
import { CloseOutlined, DownloadOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useRef, useState } from 'react'
import { headersOf, readEnvelope, requestOf } from './call.ts'
import { formatBytes } from './formats.ts'
import { useLanguage, useTexts } from './language.tsx'

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Reads a streamed file and tells how much has come. */
async function download(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    chunks.push(step.value as Uint8Array<ArrayBuffer>)
    bytes += step.value.length
    onProgress(bytes)
  }
  return new Blob(chunks, { type: sheetType })
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Exports what a list shows, all pages of it, as the Excel file of its call; says how far it is and can be cancelled. */
export function ExportButton<E extends Endpoint>({ endpoint, input }: { endpoint: E; input: InputOf<E> }) {
  const say = useTexts()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const [bytes, setBytes] = useState<number | null>(null)
  const abort = useRef<AbortController | null>(null)
  const fileName = endpoint.sheet?.fileName ?? 'export.xlsx'

  const run = async () => {
    abort.current = new AbortController()
    setBytes(0)
    try {
      const { url } = requestOf(endpoint, input)
      const response = await fetch(url, {
        headers: headersOf(undefined, sheetType),
        signal: abort.current.signal,
      })
      if (!response.headers.get('content-type')?.includes('spreadsheet')) await readEnvelope(response)
      const file = await download(response, setBytes)
      save(file, fileName)
      void message.success(
        say('console.list.exported', { name: fileName, size: formatBytes(file.size, language) }),
      )
    } catch (error) {
      if (!abort.current.signal.aborted)
        void message.error(say('console.form.failed', { reason: (error as Error).message }))
    } finally {
      setBytes(null)
    }
  }
  if (bytes === null) {
    return (
      <Button icon={<DownloadOutlined />} onClick={run}>
        {say('console.list.export')}
      </Button>
    )
  }
  return (
    <Button
      icon={<CloseOutlined />}
      aria-label={say('console.list.exportCancel')}
      onClick={() => abort.current?.abort()}
    >
      {say('console.list.exporting', { size: formatBytes(bytes, language) })}
    </Button>
  )
}
