import { mostRunMinutes, workDevices, workOperations } from '@chairside/contract'
import { Input } from 'antd'
import { useState } from 'react'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import type { DeviceDialogProps } from './chosen-devices.ts'

const digits = String(mostRunMinutes).length

/** Starts chairs for nothing, for some minutes (spec 2 §3, "Start form"). */
export function StartDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  const [duration, setDuration] = useState('')
  return (
    <BulkDialog
      {...props}
      title={say('devices.work.startTitle', counted)}
      endpoint={workDevices}
      inputOf={(deviceIds) => ({
        deviceIds,
        operation: workOperations.start,
        duration,
        startup: 'on' as const,
      })}
      check={(): Record<string, string> =>
        Number(duration.trim()) === 0 ? { duration: say('devices.work.minutesNeeded') } : {}
      }
      submitText={say('devices.action.start')}
      busyText={say('devices.work.sent')}
      doneText="devices.work.started"
    >
      {(errors) => (
        <>
          <FormField name="duration" label={say('devices.work.minutes')} error={errors['duration']} required>
            {(attributes) => (
              <Input
                {...attributes}
                autoFocus
                autoComplete="off"
                inputMode="numeric"
                maxLength={digits}
                value={duration}
                onChange={(event) => setDuration(event.target.value)}
              />
            )}
          </FormField>
          <p className="hint">{say('devices.work.startExplain', counted)}</p>
        </>
      )}
    </BulkDialog>
  )
}

/** Stops chairs that are running, whoever paid for it. */
export function StopDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  return (
    <BulkDialog
      {...props}
      title={say('devices.work.stopTitle', counted)}
      endpoint={workDevices}
      inputOf={(deviceIds) => ({
        deviceIds,
        operation: workOperations.stop,
        duration: 0,
        startup: 'off' as const,
      })}
      submitText={say('devices.action.stop')}
      busyText={say('devices.work.sent')}
      doneText="devices.work.stopped"
      danger
    >
      <p>{say('devices.work.stopExplain', counted)}</p>
    </BulkDialog>
  )
}
