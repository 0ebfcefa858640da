import { listAlertDevices, muteDevices, type AlertRow } from '@chairside/contract'
import { joinWords } from '@chairside/contract/locales/languages'
import { Radio } from 'antd'
import { useState } from 'react'
import { useRead } from '../kit/call.ts'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'

const choices = ['1', '8', '24', '168', '720'] as const
const hourMs = 3_600_000

/** Mutes the devices for which an alert holds. */
export function MuteDialog({ alert, onClose }: { alert: AlertRow; onClose: () => void }) {
  const say = useTexts()
  const { language } = useLanguage()
  const [hours, setHours] = useState<(typeof choices)[number]>('8')
  const [openedAt] = useState(() => Date.now())
  const read = useRead(listAlertDevices, { id: alert.id })
  const devices = (read.data?.list ?? []).filter(({ overTime }) => overTime === null)
  return (
    <FormDialog
      title={say('alerts.mute.title')}
      endpoint={muteDevices}
      input={{
        deviceIds: devices.map(({ id }) => id),
        until: new Date(openedAt + Number(hours) * hourMs).toISOString(),
      }}
      typed={hours}
      submitText={say('alerts.mute.action')}
      doneText={({ changed }) => say('alerts.mute.done', { count: changed })}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <ReadState read={read}>
            <p>{say('alerts.mute.explain', { count: devices.length })}</p>
            <p className="hint">
              {joinWords(
                devices.map(({ deviceId }) => deviceId),
                language,
              )}
            </p>
          </ReadState>
          <FormField name="until" label={say('alerts.mute.until')} error={errors['until']}>
            {(attributes) => (
              <Radio.Group
                id={attributes.id}
                aria-label={say('alerts.mute.until')}
                value={hours}
                onChange={({ target }) => setHours(target.value as typeof hours)}
                options={choices.map((value) => ({ value, label: say(`alerts.mute.hours.${value}`) }))}
              />
            )}
          </FormField>
        </>
      )}
    </FormDialog>
  )
}
