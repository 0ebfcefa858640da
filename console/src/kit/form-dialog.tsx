import { App, Button, Modal } from 'antd'
import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { CallError } from './call.ts'
import { useTexts } from './language.tsx'

interface FieldProps {
  name: string
  label: string
  error?: string | undefined
  hint?: string | undefined
  required?: boolean
  children: (attributes: {
    id: string
    'aria-invalid': boolean
    'aria-describedby': string
    'aria-required': boolean
  }) => ReactNode
}

/** A labelled field with its error and hint beside it. */
export function FormField({ name, label, error, hint, required = false, children }: FieldProps) {
  const id = useId()
  const describedBy = `${id}-about`
  return (
    <div className="field" data-field={name}>
      <label htmlFor={id}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': describedBy,
        'aria-required': required,
      })}
      <p
        id={describedBy}
        className={error === undefined ? 'hint' : 'error'}
        {...(error === undefined ? {} : { role: 'alert' })}
      >
        {error ?? hint ?? ''}
      </p>
    </div>
  )
}

interface Props {
  title: string
  submitText: string
  danger?: boolean
  /** Errors found before anything is sent, by field; none when it may be sent. */
  check?: () => Record<string, string>
  submit: () => Promise<unknown>
  doneText: string
  onClose: () => void
  children: (errors: Record<string, string>) => ReactNode
}

/**
 * A dialog that changes something: Enter submits, a double click sends once, errors stand at their fields and the first
 * of them has the focus; what was typed stays when the server refuses.
 */
export function FormDialog({
  title,
  submitText,
  danger = false,
  check,
  submit,
  doneText,
  onClose,
  children,
}: Props) {
  const say = useTexts()
  const { message } = App.useApp()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const show = (found: Record<string, string>) => {
    setErrors(found)
    const [first] = Object.keys(found)
    requestAnimationFrame(() =>
      form.current
        ?.querySelector<HTMLElement>(`[data-field="${first}"] :is(input, textarea, button)`)
        ?.focus(),
    )
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = check?.() ?? {}
    if (Object.keys(found).length > 0) return show(found)
    setBusy(true)
    try {
      await submit()
      void message.success(doneText)
      onClose()
    } catch (error) {
      if (error instanceof CallError && Object.keys(error.fields).length > 0) show(error.fields)
      else void message.error(say('console.form.failed', { reason: (error as Error).message }))
    } finally {
      setBusy(false)
    }
    return undefined
  }
  return (
    <Modal
      open
      title={title}
      onCancel={onClose}
      footer={null}
      destroyOnHidden
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <form ref={form} onSubmit={send} noValidate>
        {children(errors)}
        <div className="dialog-actions">
          <Button onClick={onClose}>{say('console.form.cancel')}</Button>
          <Button type="primary" danger={danger} htmlType="submit" loading={busy}>
            {submitText}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
