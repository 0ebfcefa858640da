import { addPlace, modifyPlace, textLimit, type PlaceRow } from '@chairside/contract'
import { Input } from 'antd'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'

interface Props {
  /** The place that is changed; a new one is made without it. */
  place?: PlaceRow | undefined
  onClose: () => void
}

/** Adds a place, or changes its address and phone. */
export function PlaceDialog({ place, onClose }: Props) {
  const say = useTexts()
  const [typed, setTyped] = useState({ address: place?.address ?? '', phone: place?.phone ?? '' })
  const fields = (errors: Record<string, string>) =>
    (['address', 'phone'] as const).map((name) => (
      <FormField
        key={name}
        name={name}
        label={say(`catalogue.place.field.${name}`)}
        error={errors[name]}
        hint={name === 'phone' ? say('catalogue.place.phoneHint') : undefined}
        required={name === 'address'}
      >
        {(attributes) => (
          <Input
            {...attributes}
            autoFocus={name === 'address'}
            autoComplete="off"
            {...(name === 'phone' ? { inputMode: 'tel' as const } : {})}
            maxLength={textLimit(addPlace, name)}
            value={typed[name]}
            onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          />
        )}
      </FormField>
    ))
  if (place)
    return (
      <FormDialog
        title={say('catalogue.place.editTitle', { name: place.address })}
        endpoint={modifyPlace}
        input={{ ...typed, id: place.id }}
        submitText={say('catalogue.place.save')}
        doneText={say('catalogue.place.updated')}
        canUndo
        onClose={onClose}
      >
        {fields}
      </FormDialog>
    )
  return (
    <FormDialog
      title={say('catalogue.place.addTitle')}
      endpoint={addPlace}
      input={typed}
      submitText={say('catalogue.place.add')}
      doneText={say('catalogue.place.added')}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}
