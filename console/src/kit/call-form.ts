import type { DataOf, Endpoint, InputOf } from '@chairside/contract'
import { useBlocker } from '@tanstack/react-router'
import { App } from 'antd'
import { useRef, useState, type FormEvent, type RefObject } from 'react'
import { CallError, fieldErrorsOf, useChange } from './call.ts'
import { useConfirm } from './confirm.ts'
import { focusFirstError } from './form-field.tsx'
import { inputErrors } from './form-rules.ts'
import { useLanguage, useTexts } from './language.tsx'

export interface CallFormProps<E extends Endpoint> {
  /** The call that is made; its schema says what each field takes. */
  endpoint: E
  input: InputOf<E>
  /** Errors that the schema cannot know, by field; they come first. */
  check?: (() => Record<string, string>) | undefined
  /** Fields at which refusals with these result codes are told. */
  refusedAt?: Readonly<Record<string, string>> | undefined
}

interface CallForm {
  /** Goes on the `<form>`. */
  attributes: {
    ref: RefObject<HTMLFormElement | null>
    onSubmit: (event: FormEvent) => void
    onInput: () => void
    noValidate: true
  }
  errors: Record<string, string>
  busy: boolean
  /** Asks when something typed would be lost; answers whether one may leave. */
  mayLeave: () => Promise<boolean>
}

/**
 * A form that makes a call: Enter submits, a double click sends once, errors stand at their fields and the first of them
 * has the focus; what was typed stays when the server refuses, and leaving it behind is asked about first.
 */
export function useCallForm<E extends Endpoint>(
  { endpoint, input, check, refusedAt = {} }: CallFormProps<E>,
  onDone: (data: DataOf<E>) => void,
): CallForm {
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
  const showRefusal = (error: unknown) => {
    const field = error instanceof CallError ? refusedAt[error.code] : undefined
    const refused = field === undefined ? fieldErrorsOf(error) : { [field]: (error as CallError).message }
    if (Object.keys(refused).length > 0) show(refused)
    else void message.error(say('console.form.failed', { reason: (error as Error).message }))
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
      onDone(data)
    } catch (error) {
      showRefusal(error)
    } finally {
      setBusy(false)
    }
  }
  return {
    attributes: {
      ref: form,
      onSubmit: (event) => void send(event),
      onInput: () => {
        typed.current = true
      },
      noValidate: true,
    },
    errors,
    busy,
    mayLeave,
  }
}

/** Asks before typed work is left behind: by the form's own buttons, by another address, by closing the tab. */
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
