import {
  addGoodsTemplate,
  modifyGoodsTemplate,
  textLimit,
  workModes,
  type GoodsTemplate,
} from '@chairside/contract'
import { Input } from 'antd'
import { useState } from 'react'
import { ChoiceField } from '../kit/choice-field.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTextOf, useTexts } from '../kit/language.tsx'

interface Props {
  /** The template that is changed; a new one is made without it. */
  template?: GoodsTemplate | undefined
  onClose: () => void
}

interface Typed {
  name: string
  workmode: '0' | '1'
  sleepmodestart: string
  sleepmodeend: string
}

/** Adds a goods template, or changes its name and sleep times; its work mode stays (spec 2 §4). */
export function TemplateDialog({ template, onClose }: Props) {
  const say = useTexts()
  const [typed, setTyped] = useState<Typed>({
    name: template?.name ?? '',
    workmode: template?.workMode === 1 ? '1' : '0',
    sleepmodestart: template?.sleepModeStart ?? '',
    sleepmodeend: template?.sleepModeEnd ?? '',
  })
  const times = typed.workmode === workModes.sleep ? {} : { sleepmodestart: '', sleepmodeend: '' }
  const fields = (errors: Record<string, string>) => (
    <TemplateFields typed={typed} errors={errors} isNew={!template} onChange={setTyped} />
  )
  if (template)
    return (
      <FormDialog
        title={say('catalogue.template.editTitle', { name: template.name })}
        endpoint={modifyGoodsTemplate}
        input={{ ...typed, ...times, id: template.id }}
        submitText={say('catalogue.template.save')}
        doneText={say('catalogue.template.updated')}
        canUndo
        onClose={onClose}
      >
        {fields}
      </FormDialog>
    )
  return (
    <FormDialog
      title={say('catalogue.template.addTitle')}
      endpoint={addGoodsTemplate}
      input={{ ...typed, ...times }}
      submitText={say('catalogue.template.add')}
      doneText={say('catalogue.template.added')}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}

interface FieldsProps {
  typed: Typed
  errors: Record<string, string>
  isNew: boolean
  onChange: (typed: Typed) => void
}

function TemplateFields({ typed, errors, isNew, onChange }: FieldsProps) {
  const say = useTexts()
  const textOf = useTextOf()
  const isSleep = typed.workmode === workModes.sleep
  return (
    <>
      <FormField name="name" label={say('catalogue.template.field.name')} error={errors['name']} required>
        {(attributes) => (
          <Input
            {...attributes}
            autoFocus
            autoComplete="off"
            maxLength={textLimit(addGoodsTemplate, 'name')}
            value={typed.name}
            onChange={(event) => onChange({ ...typed, name: event.target.value })}
          />
        )}
      </FormField>
      <ChoiceField
        name="workmode"
        label={say('catalogue.template.field.workMode')}
        error={errors['workmode']}
        hint={say(isNew ? 'catalogue.template.workModeHint' : 'catalogue.template.workModeStays')}
        required
        disabled={!isNew}
        value={typed.workmode}
        options={(['0', '1'] as const).map((mode) => ({
          value: mode,
          label: textOf(`catalogue.workMode.${mode}`),
        }))}
        onChange={(workmode) => onChange({ ...typed, workmode })}
      />
      <div className="form-grid">
        {(['sleepmodestart', 'sleepmodeend'] as const).map((name) => (
          <FormField
            key={name}
            name={name}
            label={say(
              name === 'sleepmodestart'
                ? 'catalogue.template.field.sleepModeStart'
                : 'catalogue.template.field.sleepModeEnd',
            )}
            error={errors[name]}
            required={isSleep}
          >
            {(attributes) => (
              <Input
                {...attributes}
                type="time"
                disabled={!isSleep}
                value={isSleep ? typed[name] : ''}
                onChange={(event) => onChange({ ...typed, [name]: event.target.value })}
              />
            )}
          </FormField>
        ))}
      </div>
      {isSleep && <p className="hint">{say('catalogue.template.sleepHint')}</p>}
    </>
  )
}
