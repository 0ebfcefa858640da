import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { saveFile } from '../kit/download.ts'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import type { BulkOutcome } from './bulk-change.ts'
import { linesOfFailures } from './failures-file.ts'

/** Failures told one by one; of more, the first of them. */
const mostTold = 200

/** With which devices something failed and why, and a file of all of them. */
export function BulkFailures({ outcome: { changed, failed } }: { outcome: BulkOutcome }) {
  const say = useTexts()
  const { language } = useLanguage()
  const counts = { changed: formatCount(changed, language), failed: formatCount(failed.length, language) }
  const save = () => {
    const titles = { deviceId: say('devices.field.deviceId'), reason: say('devices.dialog.reason') }
    saveFile(new Blob([linesOfFailures(failed, titles)], { type: 'text/csv' }), 'devices-failed.csv')
  }
  return (
    <>
      <p role="alert">{say('devices.dialog.someFailed', counts)}</p>
      <ul className="bulk-failures">
        {failed.slice(0, mostTold).map(({ device, reason }) => (
          <li key={device.id}>
            <span>{device.deviceId}</span>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      {failed.length > mostTold && (
        <p className="hint">{say('devices.dialog.mostTold', { count: formatCount(mostTold, language) })}</p>
      )}
      <Button icon={<DownloadOutlined aria-hidden />} onClick={save}>
        {say('devices.dialog.saveFailures')}
      </Button>
    </>
  )
}
