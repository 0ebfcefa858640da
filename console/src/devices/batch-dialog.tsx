import {
  addBatch,
  batchRange,
  deviceLimits,
  lastIdOf,
  massageTypeId,
  modifyBatch,
  mostInBatch,
  roomOf,
  type DeviceBatch,
  type BoardPassword,
} from '@chairside/contract'
import { Input } from 'antd'
import { useState } from 'react'
import { ChoiceField } from '../kit/choice-field.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useOptions } from '../kit/listed-options.ts'
import { modelOptions } from './device-options.ts'
import { TypeField } from './type-field.tsx'

interface Props {
  /** The batch that is modified; a new one is made without it. */
  batch?: DeviceBatch
  /** Boards that were made, with their passwords. */
  onMade: (boards: BoardPassword[]) => void
  onClose: () => void
}

const asTyped = (batch: DeviceBatch | undefined) => ({
  deviceid: batch?.deviceid ?? '',
  amount: batch ? String(batch.amount) : '',
  modelid: batch ? String(batch.modelid) : '',
  typeid: massageTypeId as typeof massageTypeId,
  fmversion: batch?.fmversion ?? '',
})
type Typed = ReturnType<typeof asTyped>

/** Where the range that is typed ends; undefined when it is none. */
function typedRange({ deviceid, amount }: Typed) {
  const start = deviceid.trim().toUpperCase()
  if (!/^\d{1,6}$/.test(amount.trim()) || start === '' || start.length > deviceLimits.deviceid)
    return undefined
  const range = batchRange(start, Number(amount))
  return range.amount >= 1 && range.amount <= Math.min(mostInBatch, roomOf(range)) ? range : undefined
}

/** What will happen to how many devices, told while the form is filled in. */
function useForecast(typed: Typed, batch: DeviceBatch | undefined): string {
  const say = useTexts()
  const { language } = useLanguage()
  const range = typedRange(typed)
  if (!range) return ''
  const values = {
    count: formatCount(Math.abs(range.amount - (batch?.amount ?? 0)), language),
    lastDeviceId: lastIdOf(range),
  }
  if (!batch) return say('batches.runsTo', values)
  if (range.amount > batch.amount) return say('batches.grows', values)
  return range.amount < batch.amount ? say('batches.shrinks', values) : say('batches.runsTo', values)
}

interface FieldsProps {
  batch: DeviceBatch | undefined
  typed: Typed
  errors: Record<string, string>
  onChange: (typed: Typed) => void
}

function BatchFields({ batch, typed, errors, onChange }: FieldsProps) {
  const say = useTexts()
  const { options: models, read } = useOptions(modelOptions)
  const forecast = useForecast(typed, batch)
  const change = (changed: Partial<Typed>) => onChange({ ...typed, ...changed })
  return (
    <>
      <FormField
        name="deviceid"
        label={say('batches.field.deviceid')}
        error={errors['deviceid']}
        hint={say('batches.startHint')}
        required
      >
        {(attributes) => (
          <Input
            {...attributes}
            autoFocus={!batch}
            autoComplete="off"
            readOnly={batch !== undefined}
            maxLength={deviceLimits.deviceid}
            value={typed.deviceid}
            onChange={(event) => change({ deviceid: event.target.value })}
          />
        )}
      </FormField>
      <FormField
        name="amount"
        label={say('batches.field.amount')}
        error={errors['amount']}
        hint={forecast}
        required
      >
        {(attributes) => (
          <Input
            {...attributes}
            autoFocus={batch !== undefined}
            autoComplete="off"
            inputMode="numeric"
            maxLength={6}
            value={typed.amount}
            onChange={(event) => change({ amount: event.target.value })}
          />
        )}
      </FormField>
      <ChoiceField
        name="modelid"
        label={say('batches.field.modelid')}
        error={errors['modelid']}
        required
        isSearched
        value={typed.modelid}
        options={models}
        read={read}
        onChange={(modelid) => change({ modelid })}
      />
      <div className="form-grid form-grid-narrow">
        <TypeField error={errors['typeid']} />
        <FormField name="fmversion" label={say('batches.field.fmversion')} error={errors['fmversion']}>
          {(attributes) => (
            <Input
              {...attributes}
              autoComplete="off"
              maxLength={deviceLimits.fmversion}
              value={typed.fmversion}
              onChange={(event) => change({ fmversion: event.target.value })}
            />
          )}
        </FormField>
      </div>
      {batch && <p className="hint">{say('batches.sameForDevices')}</p>}
    </>
  )
}

/** Adds a batch with its devices, or changes one (spec 2 §§2, 5). */
export function BatchDialog({ batch, onMade, onClose }: Props) {
  const say = useTexts()
  const { language } = useLanguage()
  const [typed, setTyped] = useState(asTyped(batch))
  const fields = (errors: Record<string, string>) => (
    <BatchFields batch={batch} typed={typed} errors={errors} onChange={setTyped} />
  )
  if (!batch) {
    const range = typedRange(typed)
    const submitText = range
      ? say('batches.addSubmit', { count: formatCount(range.amount, language) })
      : say('batches.add')
    return (
      <FormDialog
        title={say('batches.addTitle')}
        endpoint={addBatch}
        input={typed}
        submitText={submitText}
        doneText={({ boards }) => say('batches.addedSome', { count: formatCount(boards.length, language) })}
        onDone={({ boards }) => onMade(boards)}
        onClose={onClose}
      >
        {fields}
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={say('batches.modifyTitle', { deviceId: batch.deviceid })}
      endpoint={modifyBatch}
      input={{ ...typed, id: batch.id }}
      submitText={say('batches.modifySubmit')}
      doneText={say('batches.modified')}
      onDone={({ boards }) => onMade(boards)}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}
