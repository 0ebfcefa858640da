import { filesPerSticker, generateBatchQrCodes, type DeviceBatch } from '@chairside/contract'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { StickerDialog } from './sticker-dialog.tsx'

/** The QR codes of a batch (spec 2 §2). */
export function BatchStickers({ batch, onClose }: { batch: DeviceBatch; onClose: () => void }) {
  const say = useTexts()
  const { language } = useLanguage()
  const { deviceid: deviceId, lastDeviceId, amount } = batch
  return (
    <StickerDialog
      title={say('stickers.titleOfBatch', { deviceId, lastDeviceId })}
      request={{ url: generateBatchQrCodes.path.replace(':id', String(batch.id)) }}
      total={amount}
      onClose={onClose}
    >
      <p>
        {say('stickers.devices', {
          count: formatCount(amount, language),
          files: formatCount(amount * filesPerSticker, language),
        })}
      </p>
    </StickerDialog>
  )
}
