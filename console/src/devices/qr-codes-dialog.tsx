import { generateManyQrCodes, getQrCode, mostNamedDevices, type stickerFormats } from '@chairside/contract'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Modal } from 'antd'
import { callFile } from '../kit/call.ts'
import { saveFile } from '../kit/download.ts'
import { useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'
import { ChosenSummary } from './chosen-summary.tsx'
import type { ChosenDevices, DeviceDialogProps } from './chosen-devices.ts'
import { newDevicesAsMerchant } from './device-filters.ts'
import { StickerDialog } from './sticker-dialog.tsx'

/** The devices by their ids; more than a call takes by the filters that they were chosen by. */
function bodyOf({ devices, matching }: ChosenDevices): Record<string, unknown> {
  return matching && devices.length > mostNamedDevices
    ? { ...matching, ...newDevicesAsMerchant(matching), matching: true }
    : { deviceids: devices.map(({ deviceId }) => deviceId) }
}

/** The QR codes of the chosen devices; of one alone it is shown (spec 2 §2). */
export function QrCodesDialog({ chosen, onClose }: DeviceDialogProps) {
  const say = useTexts()
  const [only] = chosen.devices
  if (only && chosen.devices.length === 1) return <QrCodeOfOne deviceId={only.deviceId} onClose={onClose} />
  return (
    <StickerDialog
      title={say('stickers.title')}
      request={{ url: generateManyQrCodes.path, body: bodyOf(chosen) }}
      total={chosen.devices.length}
      onClose={onClose}
    >
      <ChosenSummary chosen={chosen} />
    </StickerDialog>
  )
}

/** The SVG as an address of its own. */
async function drawnCode(deviceId: string, signal: AbortSignal): Promise<string> {
  const file = await callFile(getQrCode, { deviceId, format: 'svg' }, signal)
  return `data:image/svg+xml,${encodeURIComponent(await file.text())}`
}

type Format = (typeof stickerFormats)[number]

function QrCodeOfOne({ deviceId, onClose }: { deviceId: string; onClose: () => void }) {
  const say = useTexts()
  useAboveThePage(onClose)
  const { message } = App.useApp()
  const picture = useQuery({
    queryKey: [getQrCode.path, deviceId],
    queryFn: ({ signal }) => drawnCode(deviceId, signal),
  })
  const save = async (format: Format) => {
    try {
      saveFile(await callFile(getQrCode, { deviceId, format }), `${deviceId}.${format}`)
    } catch (error) {
      void message.error(say('console.form.failed', { reason: (error as Error).message }))
    }
  }
  return (
    <Modal
      open
      title={say('stickers.titleOfOne', { deviceId })}
      onCancel={onClose}
      footer={null}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <ReadState read={picture}>
        <img className="sticker" src={picture.data} alt={say('stickers.picture', { deviceId })} />
      </ReadState>
      <div className="dialog-actions">
        <Button onClick={onClose}>{say('console.form.close')}</Button>
        <Button onClick={() => void save('svg')}>{say('stickers.downloadSvg')}</Button>
        <Button type="primary" onClick={() => void save('png')}>
          {say('stickers.downloadPng')}
        </Button>
      </div>
    </Modal>
  )
}
