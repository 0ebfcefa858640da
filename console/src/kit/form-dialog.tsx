import type { DataOf, Endpoint, InputOf } from '@chairside/contract'
import { useBlocker } from '@tanstack/react-router'
import { App, Button, Modal } from 'antd'
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { fieldErrorsOf, useChange } from './call.ts'
import { useConfirm } from './confirm.ts'
import { focusFirstError } from './form-field.tsx'
import { inputErrors } from './form-rules.ts'
import { useLanguage, useTexts } from './language.tsx'

interface Props<E extends Endpoint> {
  title: string
  /** The call that is made; its schema says what each field takes. */
  endpoint: E
  input: InputOf<E>
  /** Errors that the schema cannot know, by field; they come first. */
  check?: () => Record<string, string>
  submitText: string
  danger?: boolean
  doneText: string
  /** The word on the button that leaves; "cancel" when absent. */
  leaveText?: string
  /** What was answered, when somebody waits for it; the dialog closes before. */
  onDone?: (data: DataOf<E>) => void
  onClose: () => void
  children: (errors: Record<string, string>) => ReactNode
}

/**
 * A dialog that changes something: Enter submits, a double click sends once, errors stand at their fields and the first
 * of them has the focus; what was typed stays when the server refuses, and leaving it behind is asked about first.
 */
export function FormDialog<E extends Endpoint>(props: Props<E>) {
  const { title, endpoint, input, check, submitText, danger = false, doneText, onClose, children } = props
  const say = useTexts()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const change = useChange(endpoint)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const typed = useRef(false)
  const mayLeave = useLeaving(typed)

  const show = (found: Record<string, string>) => {
    setErrors(found)
    requestAnimationFrame(() => focusFirstError(form.current, found))
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = { ...inputErrors(endpoint, input, language), ...check?.() }
    if (Object.keys(found).length > 0) {
      show(found)
      return
    }
    setBusy(true)
    setErrors({})
    try {
      const data = await change.mutateAsync(input)
      typed.current = false
      void message.success(doneText)
      onClose()
      props.onDone?.(data)
    } catch (error) {
      const refused = fieldErrorsOf(error)
      if (Object.keys(refused).length > 0) show(refused)
      else void message.error(say('console.form.failed', { reason: (error as Error).message }))
    } finally {
      setBusy(false)
    }
  }
  const leave = async () => {
    if (!busy && (await mayLeave())) onClose()
  }
  return (
    <Modal
      open
      title={title}
      onCancel={leave}
      footer={null}
      destroyOnHidden
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <form ref={form} onSubmit={send} onInput={() => (typed.current = true)} noValidate>
        {children(errors)}
        <div className="dialog-actions">
          <Button onClick={leave}>{props.leaveText ?? say('console.form.cancel')}</Button>
          <Button type="primary" danger={danger} htmlType="submit" loading={busy}>
            {submitText}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

/** Asks before typed work is left behind: by the dialog's own buttons, by another address, by closing the tab. */
function useLeaving(typed: { current: boolean }): () => Promise<boolean> {
  const say = useTexts()
  const confirm = useConfirm()
  const mayLeave = async () =>
    !typed.current ||
    confirm({
      title: say('console.form.discardTitle'),
      explain: say('console.form.discardExplain'),
      doText: say('console.form.discard'),
      danger: true,
    })
  useBlocker({
    shouldBlockFn: async () => !(await mayLeave()),
    enableBeforeUnload: () => typed.current,
  })
  return mayLeave
}
