import type { DataOf, InputOf } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { App, Button, Modal } from 'antd'
import { useState, type FormEvent, type ReactNode } from 'react'
import { fieldErrorsOf } from '../kit/call.ts'
import { useFieldErrors } from '../kit/field-errors.ts'
import { failedTextOf } from '../kit/failed-text.ts'
import { inputErrors } from '../kit/form-rules.ts'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'
import { OnceOpen } from '../kit/once-open.tsx'
import { useUnsavedWork } from '../kit/unsaved-work.ts'
import { useBulkChange, type BulkEndpoint, type BulkOutcome } from './bulk-change.ts'
import { BulkFailures } from './bulk-failures.tsx'
import { ChosenSummary } from './chosen-summary.tsx'
import type { DeviceDialogProps, ListedDevice } from './chosen-devices.ts'

interface Props<E extends BulkEndpoint> extends DeviceDialogProps {
  title: string
  endpoint: E
  inputOf: (deviceIds: number[]) => InputOf<E>
  /** Takes what an answer holds beside the outcome of each device. */
  onOutcome?: (outcome: DataOf<E>) => void
  /** Errors that the schema cannot know, by field. */
  check?: () => Record<string, string>
  submitText: string
  /** Told while it is under way; how far it is when absent. */
  busyText?: string
  /** Told with the `count` of those done; as every option when absent. */
  doneText?: TextKey
  danger?: boolean
  /** What will happen, and fields that say how. */
  children: ReactNode | ((errors: Record<string, string>) => ReactNode)
}

/**
 * Asks for and does something with many devices: says what with how many, tells how far it is, then the reason for each
 * that failed, and tries these again.
 */
export function BulkDialog<E extends BulkEndpoint>(props: Props<E>) {
  const { chosen, title, endpoint, inputOf, submitText, danger = false, onDone, onClose } = props
  const say = useTexts()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const findErrors = () => {
    const [first] = chosen.devices
    return { ...inputErrors(endpoint, inputOf(first ? [first.id] : []), language), ...props.check?.() }
  }
  const { form, errors, check, showErrors } = useFieldErrors(inputOf([]), findErrors)
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null)
  const { run, done } = useBulkChange(endpoint, inputOf, props.onOutcome)
  const total = outcome ? outcome.failed.length : chosen.devices.length

  const { markSaved, mayLeave } = useUnsavedWork(inputOf([]))
  const leave = async () => {
    if (!busy && (await mayLeave())) onClose()
  }
  useAboveThePage(leave)
  const send = async (devices: readonly ListedDevice[], changedBefore: number) => {
    setBusy(true)
    try {
      const { changed, failed } = await run(devices)
      markSaved()
      onDone(failed.map(({ device }) => device))
      if (failed.length === 0) {
        const count = formatCount(changed + changedBefore, language)
        void message.success(say(props.doneText ?? 'devices.dialog.done', { count } as never))
        onClose()
      } else setOutcome({ changed: changed + changedBefore, failed })
    } catch (error) {
      const fields = fieldErrorsOf(error)
      if (Object.keys(fields).length > 0) showErrors(fields)
      else void message.error(say(failedTextOf(endpoint), { reason: (error as Error).message }))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && check()) void send(chosen.devices, 0)
  }
  const retry = () =>
    outcome &&
    void send(
      outcome.failed.map(({ device }) => device),
      outcome.changed,
    )
  return (
    <Modal
      open
      title={title}
      onCancel={leave}
      footer={null}
      destroyOnHidden
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <OnceOpen>
        {outcome ? (
          <BulkFailures outcome={outcome} />
        ) : (
          <form ref={form} id="bulk-form" onSubmit={submit} noValidate>
            <ChosenSummary chosen={chosen} whyNot={props.whyNot} />
            {typeof props.children === 'function' ? props.children(errors) : props.children}
          </form>
        )}
        <div className="dialog-actions">
          {busy && props.busyText !== undefined && (
            <span className="hint" role="status">
              {props.busyText}
            </span>
          )}
          {busy && props.busyText === undefined && total > 1 && (
            <span className="hint" role="status">
              {say('devices.dialog.progress', {
                done: formatCount(done, language),
                total: formatCount(total, language),
              })}
            </span>
          )}
          <Button disabled={busy} onClick={leave}>
            {say(outcome ? 'console.form.close' : 'console.form.cancel')}
          </Button>
          {outcome ? (
            <Button type="primary" loading={busy} onClick={retry}>
              {say('devices.dialog.retry', { count: formatCount(outcome.failed.length, language) })}
            </Button>
          ) : (
            <Button type="primary" danger={danger} htmlType="submit" form="bulk-form" loading={busy}>
              {submitText}
            </Button>
          )}
        </div>
      </OnceOpen>
    </Modal>
  )
}
