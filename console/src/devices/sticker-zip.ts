import { filesPerSticker } from '@chairside/contract'
import { App } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { readEnvelope, send } from '../kit/call.ts'
import { readStream, saveFile } from '../kit/download.ts'
import { formatBytes, formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { countFiles } from './count-zipped.ts'

/** Where a zip of QR codes comes from; a body is posted. */
export interface ZipRequest {
  url: string
  body?: Record<string, unknown>
}

const zipType = 'application/zip'
const zipName = 'qrcode.zip'

/** Fetches a zip of QR codes and saves it; `done` counts the devices that are in it so far, null before it begins. */
export function useStickerZip() {
  const say = useTexts()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const [done, setDone] = useState<number | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const fetchZip = async ({ url, body }: ZipRequest, signal: AbortSignal) => {
    const response = await send(url, { verb: body ? 'POST' : 'GET', accept: zipType, body, signal })
    if (!response.headers.get('content-type')?.includes('zip')) await readEnvelope(response)
    const count = countFiles()
    let devices = 0
    const file = await readStream(response, zipType, (_bytes, piece) => {
      devices = Math.floor(count(piece) / filesPerSticker)
      setDone(devices)
    })
    return { file, devices }
  }
  /** Answers whether it was saved. */
  const run = async (request: ZipRequest): Promise<boolean> => {
    const controller = new AbortController()
    abort.current = controller
    setDone(0)
    try {
      const { file, devices } = await fetchZip(request, controller.signal)
      saveFile(file, zipName)
      const count = formatCount(devices, language)
      void message.success(
        say('stickers.saved', { name: zipName, count, size: formatBytes(file.size, language) }),
      )
      return true
    } catch (error) {
      if (!controller.signal.aborted)
        void message.error(say('console.form.failed', { reason: (error as Error).message }))
      return false
    } finally {
      setDone(null)
    }
  }
  return { done, run, cancel: () => abort.current?.abort() }
}
