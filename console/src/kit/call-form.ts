import type { DataOf, Endpoint, InputOf } from '@chairside/contract'
import { App } from 'antd'
import { useRef, useState, type FormEvent, type RefObject } from 'react'
import { CallError, fieldErrorsOf, useChange } from './call.ts'
import { failedTextOf } from './failed-text.ts'
import { useFieldErrors } from './field-errors.ts'
import { inputErrors } from './form-rules.ts'
import { useLanguage, useTexts } from './language.tsx'
import { useUnsavedWork } from './unsaved-work.ts'

export interface CallFormProps<E extends Endpoint> {
  /** The call that is made; its schema says what each field takes. */
  endpoint: E
  input: InputOf<E>
  /** What somebody fills in, where the input leaves some of it out or says more; a file on its way to it belongs to it. */
  typed?: unknown
  /** Errors that the schema cannot know, by field; they come first. */
  check?: (() => Record<string, string>) | undefined
  /** Fields at which refusals with these result codes are shown. */
  refusedAt?: Readonly<Record<string, string>> | undefined
  /** Whether more comes of it after the answer; see `useChange`. */
  goesOn?: boolean
}

interface CallForm {
  /** Goes on the `<form>`. */
  attributes: {
    ref: RefObject<HTMLFormElement | null>
    onSubmit: (event: FormEvent) => void
    noValidate: true
  }
  errors: Record<string, string>
  busy: boolean
  /** Asks when something changed would be lost; answers whether one may leave. */
  mayLeave: () => Promise<boolean>
}

/** Names of the fields that are filled in as they were. */
const unchangedIn = (input: Record<string, unknown>, before: Record<string, unknown>): string[] =>
  Object.keys(input).filter((name) => JSON.stringify(input[name]) === JSON.stringify(before[name]))

/**
 * A form that makes a call: Enter submits, a double click sends once, errors are shown at their fields and the first of them
 * has the focus; what was changed stays when the server refuses, and leaving it behind is asked about first. An edit says
 * which of its fields it left alone, so that what somebody else saved of them since stays.
 * @param onDone told what was answered, and the call that takes it back, unless what was there before is no input that it takes
 */
export function useCallForm<E extends Endpoint>(
  { endpoint, input, typed = input, check, refusedAt = {}, goesOn }: CallFormProps<E>,
  onDone: (data: DataOf<E>, undo: InputOf<E> | undefined) => void,
): CallForm {
  const say = useTexts()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const change = useChange(endpoint, goesOn)
  const [busy, setBusy] = useState(false)
  const findErrors = () => ({ ...inputErrors(endpoint, input, language), ...check?.() })
  const { form, errors, check: isRight, showErrors } = useFieldErrors(input, findErrors)
  const { markSaved, mayLeave } = useUnsavedWork(typed)
  const before = useRef<InputOf<E>>(input)

  const showRefusal = (error: unknown) => {
    const field = error instanceof CallError ? refusedAt[error.code] : undefined
    const refused = field === undefined ? fieldErrorsOf(error) : { [field]: (error as CallError).message }
    if (Object.keys(refused).length > 0) showErrors(refused)
    else void message.error(say(failedTextOf(endpoint), { reason: (error as Error).message }))
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !isRight()) return
    setBusy(true)
    const isEdit = 'unchanged' in endpoint.input.shape
    const left = isEdit ? { unchanged: unchangedIn(input, before.current) } : {}
    try {
      const data = await change.mutateAsync({ ...input, ...left })
      const undo = { ...before.current, ...left }
      const mayUndo = Object.keys(inputErrors(endpoint, undo, language)).length === 0
      before.current = input
      markSaved()
      onDone(data, mayUndo ? undo : undefined)
    } catch (error) {
      showRefusal(error)
    } finally {
      setBusy(false)
    }
  }
  return {
    attributes: { ref: form, onSubmit: (event) => void send(event), noValidate: true },
    errors,
    busy,
    mayLeave,
  }
}
