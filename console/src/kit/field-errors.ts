import { App } from 'antd'
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

interface FieldErrors {
  /** Goes on the `<form>`. */
  form: RefObject<HTMLFormElement | null>
  /** Messages by field. */
  errors: Record<string, string>
  /** Shows others in their place: each at its field, the first of which gets the focus. */
  showErrors: (found: Record<string, string>) => void
}

/** What is wrong with the fields of a form, whether the browser found it or the server named it. */
export function useFieldErrors(): FieldErrors {
  const { message } = App.useApp()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  // With the frame that shows them: who types on at once would else have the focus taken away in the middle.
  useLayoutEffect(() => {
    const fields = [...(form.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
    const nameOf = ({ dataset }: HTMLElement) => dataset['field'] ?? ''
    const first = fields.find((field) => errors[nameOf(field)] !== undefined)
    first?.querySelector<HTMLElement>(':is(input, textarea, button):not(:disabled)')?.focus()
    // What the form has no field for would not be told otherwise.
    const shown = new Set(fields.map(nameOf))
    const elsewhere = Object.keys(errors).filter((name) => !shown.has(name))
    if (elsewhere.length > 0) void message.error(elsewhere.map((name) => errors[name]).join(' '))
  }, [errors, message])
  return { form, errors, showErrors: setErrors }
}
