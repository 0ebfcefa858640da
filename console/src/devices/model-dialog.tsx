import { addModel, controlModes, editModel, modelLimits, type DeviceModel } from '@chairside/contract'
import { Checkbox, Input, Radio } from 'antd'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTextOf, useTexts } from '../kit/language.tsx'

interface Props {
  /** The model that is edited; a new one is made without it. */
  model?: DeviceModel
  onClose: () => void
}

/** What a form for a new model begins with: pulses that most boards understand. */
const usual = {
  controlMode: controlModes.command,
  pulseCycle: 100,
  pulseDutyCycle: 50,
  pulseDuration: 1,
  resetTime: 0,
}

const asTyped = (model: DeviceModel | undefined) => {
  const { controlMode, pulseCycle, pulseDutyCycle, pulseDuration, resetTime } = model ?? usual
  return {
    model: model?.model ?? '',
    name: model?.name ?? '',
    controlmode: String(controlMode) as '1' | '2' | '3',
    pulsecycle: String(pulseCycle),
    pulsedutycycle: String(pulseDutyCycle),
    pulseDuration: String(pulseDuration),
    resetTime: String(resetTime),
    controllable: model?.controllable ?? true,
    lighttherapy: model?.lightTherapy ?? false,
    sleepmode: model?.sleepMode ?? false,
  }
}
type Typed = ReturnType<typeof asTyped>

const pulseFields = [
  ['pulsecycle', 'models.field.pulseCycle', modelLimits.pulseCycleMs],
  ['pulsedutycycle', 'models.field.pulseDutyCycle', modelLimits.pulseDutyCycleMs],
  ['pulseDuration', 'models.field.pulseDuration', modelLimits.pulseDurationMinutes],
] as const
const flags = [
  ['controllable', 'models.field.controllable'],
  ['lighttherapy', 'models.field.lightTherapy'],
  ['sleepmode', 'models.field.sleepMode'],
] as const

/** Most digits that a number of the form has. */
const digits = 6

interface FieldsProps {
  typed: Typed
  errors: Record<string, string>
  onChange: (typed: Typed) => void
}

function ModelFields({ typed, errors, onChange }: FieldsProps) {
  const say = useTexts()
  const textOf = useTextOf()
  const change = (changed: Partial<Typed>) => onChange({ ...typed, ...changed })
  const isPulse = typed.controlmode === '2'
  const number = (
    name: (typeof pulseFields)[number][0] | 'resetTime',
    label: string,
    { least, most }: { least: number; most: number },
    disabled = false,
    explain = '',
  ) => (
    <FormField
      key={name}
      name={name}
      label={label}
      error={errors[name]}
      hint={`${least} – ${most}${explain && ` · ${explain}`}`}
      required={!disabled}
    >
      {(attributes) => (
        <Input
          {...attributes}
          inputMode="numeric"
          autoComplete="off"
          maxLength={digits}
          disabled={disabled}
          value={typed[name]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </FormField>
  )
  return (
    <>
      <div className="form-grid form-grid-narrow">
        {(['model', 'name'] as const).map((name) => (
          <FormField
            key={name}
            name={name}
            label={say(`models.field.${name}`)}
            error={errors[name]}
            required={name === 'model'}
          >
            {(attributes) => (
              <Input
                {...attributes}
                autoFocus={name === 'model'}
                autoComplete="off"
                maxLength={modelLimits[name]}
                value={typed[name]}
                onChange={(event) => change({ [name]: event.target.value })}
              />
            )}
          </FormField>
        ))}
      </div>
      <FormField
        name="controlmode"
        label={say('models.field.controlMode')}
        error={errors['controlmode']}
        hint={textOf(`models.controlModeExplain.${typed.controlmode}`)}
      >
        {({ id }) => (
          <Radio.Group
            id={id}
            aria-label={say('models.field.controlMode')}
            value={typed.controlmode}
            onChange={(event) => change({ controlmode: event.target.value as Typed['controlmode'] })}
            options={(['1', '2', '3'] as const).map((value) => ({
              value,
              label: textOf(`models.controlMode.${value}`),
            }))}
          />
        )}
      </FormField>
      <fieldset className="form-part">
        <legend>{say('models.pulses')}</legend>
        {!isPulse && <p className="hint">{say('models.pulseOnly')}</p>}
        <div className="form-grid form-grid-narrow">
          {pulseFields.map(([name, text, limits]) => number(name, say(text), limits, !isPulse))}
        </div>
      </fieldset>
      {number(
        'resetTime',
        say('models.field.resetTime'),
        modelLimits.resetSeconds,
        false,
        say('models.resetExplain'),
      )}
      <div className="form-flags">
        {flags.map(([name, text]) => (
          <Checkbox
            key={name}
            checked={typed[name]}
            onChange={(event) => change({ [name]: event.target.checked })}
          >
            {say(text)}
          </Checkbox>
        ))}
      </div>
      <p className="hint">{say('models.flagsExplain')}</p>
    </>
  )
}

/** A designation that is taken is reported at its field. */
const refusedAt = { '106': 'model' }

/** Adds a model or changes one (spec 2 §§2, 5). */
export function ModelDialog({ model, onClose }: Props) {
  const say = useTexts()
  const [typed, setTyped] = useState(asTyped(model))
  const fields = (errors: Record<string, string>) => (
    <ModelFields typed={typed} errors={errors} onChange={setTyped} />
  )
  if (!model) {
    return (
      <FormDialog
        title={say('models.add')}
        endpoint={addModel}
        input={typed}
        refusedAt={refusedAt}
        submitText={say('models.addSubmit')}
        doneText={say('models.added')}
        onClose={onClose}
      >
        {fields}
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={say('models.editTitle', { model: model.model })}
      endpoint={editModel}
      input={{ ...typed, id: model.id }}
      refusedAt={refusedAt}
      submitText={say('models.save')}
      doneText={say('models.updated')}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="hint">{say('models.editExplain')}</p>
          {fields(errors)}
        </>
      )}
    </FormDialog>
  )
}
