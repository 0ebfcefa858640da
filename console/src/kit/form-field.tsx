import { useId, type ReactNode } from 'react'

interface Props {
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
export function FormField({ name, label, error, hint, required = false, children }: Props) {
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
