import { App } from 'antd'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

interface FieldErrors {
  /** Goes on the `<form>`. */
  form: RefObject<HTMLFormElement | null>
  /** Messages by field, of those that are filled in as they were when it was told. */
  errors: Record<string, string>
  /** Shows what the form finds wrong with itself, if anything; answers whether it found nothing. */
  check: () => boolean
  /** Shows what was refused in their place: each at its field, the first of which gets the focus. */
  showErrors: (refused: Record<string, string>) => void
}

interface Told {
  errors: Record<string, string>
  /** What the form held then. */
  of: Readonly<Record<string, unknown>>
  /** Whether the form found them, and can tell when one is over: a day may be right once another field is. */
  isFound: boolean
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * What is wrong with the fields of a form, whether the browser found it or the server named it. Who corrects a field, or
 * the other one on which it depends, is not told of it any more.
 * @param values what the form holds now, by field
 * @param find what is wrong with it now, as far as the form can know
 */
export function useFieldErrors(
  values: Readonly<Record<string, unknown>>,
  find: () => Record<string, string>,
): FieldErrors {
  const { message } = App.useApp()
  const form = useRef<HTMLFormElement>(null)
  const [told, setTold] = useState<Told>({ errors: {}, of: {}, isFound: false })
  const { errors } = told
  // A refusal comes after a while: it stands at what the form holds by then, lest it goes unseen.
  const newest = useRef(values)
  useEffect(() => {
    newest.current = values
  })
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
  const asItWas = Object.entries(errors).filter(([name]) => isSame(values[name], told.of[name]))
  const found = told.isFound && asItWas.length > 0 ? find() : undefined
  const standing = found ? asItWas.filter(([name]) => found[name] !== undefined) : asItWas
  return {
    form,
    errors: Object.fromEntries(standing),
    check: () => {
      const wrong = find()
      setTold({ errors: wrong, of: values, isFound: true })
      return Object.keys(wrong).length === 0
    },
    showErrors: (refused) => setTold({ errors: refused, of: newest.current, isFound: false }),
  }
}
