import { massageTypeId } from '@chairside/contract'
import { ChoiceField } from '../kit/choice-field.tsx'
import { useTexts } from '../kit/language.tsx'

/** The type of a device, of which there is one so far (spec 2 §3). */
export function TypeField({ error }: { error: string | undefined }) {
  const say = useTexts()
  return (
    <ChoiceField
      name="typeid"
      label={say('batches.field.typeid')}
      error={error}
      required
      value={massageTypeId}
      options={[{ value: massageTypeId, label: say('batches.type.massage') }]}
      onChange={() => undefined}
    />
  )
}
