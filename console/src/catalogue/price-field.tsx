import { centsFromYuan, formatYuan } from '@chairside/contract'
import { Input } from 'antd'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'

/** Most that goods cost. */
const mostCents = 1_000_000_000

/** What is wrong with a price that was typed in yuan; it is read as decimal text, so that no cent is lost. */
export function usePriceCheck(): (yuan: string) => Record<string, string> {
  const say = useTexts()
  return (yuan): Record<string, string> => {
    if (yuan.trim() === '') return { price: say('validation.required') }
    const price = centsFromYuan(yuan)
    if (price === undefined) return { price: say('console.form.notAnAmount') }
    if (price < 0) return { price: say('validation.tooSmall', { min: formatYuan(0) }) }
    return price > mostCents ? { price: say('validation.tooBig', { max: formatYuan(mostCents) }) } : {}
  }
}

interface Props {
  label: string
  value: string
  error: string | undefined
  onChange: (yuan: string) => void
}

/** A price, typed in yuan. */
export function PriceField({ label, value, error, onChange }: Props) {
  return (
    <FormField name="price" label={label} error={error} required>
      {(attributes) => (
        <Input
          {...attributes}
          prefix="¥"
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FormField>
  )
}
