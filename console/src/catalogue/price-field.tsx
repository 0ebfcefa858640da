import { readYuan } from '@chairside/contract'
import { Input } from 'antd'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'

/** What is wrong with a price that was typed in yuan. */
export function usePriceCheck(): (yuan: string) => Record<string, string> {
  const say = useTexts()
  return (yuan): Record<string, string> => {
    const read = readYuan(yuan)
    return 'fault' in read ? { price: say(read.fault, read.values) } : {}
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
