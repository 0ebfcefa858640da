import { textLimit, type Endpoint } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { Input } from 'antd'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { RemarkField } from '../kit/remark-field.tsx'

/** A text of a form, declared as a constant; its name is the call's field. */
export interface TextFieldDefinition<Name extends string> {
  name: Name
  text: TextKey
  hint?: TextKey
  required?: boolean
  /** To be seen, not changed. */
  isReadOnly?: boolean
  /** Which keyboard a phone shows. */
  inputMode?: 'tel' | 'email' | 'numeric'
  /** Several lines, with its characters counted. */
  isLong?: boolean
}

interface Props<Name extends string> {
  /** The call they are fields of; it gives the most characters of each. */
  endpoint: Endpoint
  fields: readonly TextFieldDefinition<Name>[]
  typed: Record<Name, string>
  errors: Record<string, string>
  /** Has the focus when the form opens. */
  focused?: Name
  onChange: (typed: Record<Name, string>) => void
}

/** The texts of a form, two beside each other where there is room. */
export function TextFields<Name extends string>(props: Props<Name>) {
  const { endpoint, fields, typed, errors, focused, onChange } = props
  const say = useTexts()
  return (
    <div className="form-grid">
      {fields.map(({ name, text, hint, required = false, isReadOnly = false, inputMode, isLong = false }) =>
        isLong ? (
          <div key={name} className="whole-row">
            <RemarkField
              endpoint={endpoint}
              name={name}
              label={say(text)}
              value={typed[name]}
              error={errors[name]}
              onChange={(value) => onChange({ ...typed, [name]: value })}
            />
          </div>
        ) : (
          <FormField
            key={name}
            name={name}
            label={say(text)}
            error={errors[name]}
            hint={hint && say(hint)}
            required={required}
          >
            {(attributes) => (
              <Input
                {...attributes}
                autoFocus={name === focused}
                autoComplete="off"
                readOnly={isReadOnly}
                inputMode={inputMode}
                maxLength={textLimit(endpoint, name)}
                value={typed[name]}
                onChange={(event) => onChange({ ...typed, [name]: event.target.value })}
              />
            )}
          </FormField>
        ),
      )}
    </div>
  )
}
