import { addSavedView, changeSavedView, textLimit, type SavedView } from '@chairside/contract'
import { Checkbox, Input } from 'antd'
import { useState } from 'react'
import type { AddressState } from './address.ts'
import { FormDialog } from './form-dialog.tsx'
import { FormField } from './form-field.tsx'
import { useTexts } from './language.tsx'
import { isSameView, viewQueryOf } from './saved-view.ts'

interface Props {
  screen: string
  state: AddressState
  /** The view that is changed; a new one is saved without it. */
  view?: SavedView | undefined
  onClose: () => void
}

/** Keeps the filters of the address under a name, or changes a view: its name, its filters, and who sees it. */
export function ViewDialog({ screen, state, view, onClose }: Props) {
  const say = useTexts()
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [replaces, setReplaces] = useState(false)
  const query = viewQueryOf(state)
  const fields = (errors: Record<string, string>) => (
    <>
      <FormField name="name" label={say('views.name')} error={errors['name']} required>
        {(attributes) => (
          <Input
            {...attributes}
            autoFocus
            autoComplete="off"
            maxLength={textLimit(addSavedView, 'name')}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </FormField>
      <div className="form-flags" data-field="query">
        <Checkbox checked={shared} onChange={(event) => setShared(event.target.checked)}>
          {say('views.share')}
        </Checkbox>
        {view && !isSameView(view.query, state) && (
          <Checkbox checked={replaces} onChange={(event) => setReplaces(event.target.checked)}>
            {say('views.replace')}
          </Checkbox>
        )}
        {errors['query'] && (
          <p className="error" role="alert">
            {say('views.tooLong')}
          </p>
        )}
      </div>
      <p className="hint">{say('views.explain')}</p>
    </>
  )
  if (view) {
    return (
      <FormDialog
        title={say('views.editTitle', { name: view.name })}
        endpoint={changeSavedView}
        input={{ viewId: view.id, name, shared, ...(replaces ? { query } : {}) }}
        submitText={say('views.keep')}
        doneText={say('views.changed')}
        onClose={onClose}
      >
        {fields}
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={say('views.saveTitle')}
      endpoint={addSavedView}
      input={{ screen, name, query, shared }}
      submitText={say('views.keep')}
      doneText={say('views.saved')}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}
