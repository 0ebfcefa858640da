import { addModel, editModel, hasShorterPulses, listModels, type ParsedInputOf } from '@chairside/contract'
import { handle, handleReading, type Call } from '../kit/call.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import {
  findModels,
  findModelToChange,
  insertModel,
  isDesignationTaken,
  updateModel,
  type NewModel,
} from './models-sql.ts'

type ModelForm = ParsedInputOf<typeof addModel>
type Flags = Pick<NewModel, 'controllable' | 'lightTherapy' | 'sleepMode'>

/** What a model says when its form does not. */
const flagsOfNewModel: Flags = { controllable: true, lightTherapy: false, sleepMode: false }

const modelOf = (form: ModelForm, flags: Flags): NewModel => ({
  model: form.model,
  name: form.name,
  controlMode: Number(form.controlmode),
  pulseCycle: form.pulsecycle,
  pulseDutyCycle: form.pulsedutycycle,
  pulseDuration: form.pulseDuration,
  controllable: form.controllable ?? flags.controllable,
  lightTherapy: form.lighttherapy ?? flags.lightTherapy,
  sleepMode: form.sleepmode ?? flags.sleepMode,
  resetTime: form.resetTime,
})

const formOf = (model: NewModel) => ({
  model: model.model,
  name: model.name,
  controlmode: String(model.controlMode) as ModelForm['controlmode'],
  pulsecycle: model.pulseCycle,
  pulsedutycycle: model.pulseDutyCycle,
  pulseDuration: model.pulseDuration,
  resetTime: model.resetTime,
  controllable: model.controllable,
  lighttherapy: model.lightTherapy,
  sleepmode: model.sleepMode,
})

/** Device models (spec 2 §7). A start reads its model when it is sent, so a change reaches the next one. */
export const modelCalls: Call[] = [
  handleReading(listModels, ({ db }) => findModels(db)),
  handle(addModel, async ({ db, input, refuse, audit }) => {
    audit({ target: input.model })
    if (await isDesignationTaken(db, input.model)) return refuse('modelTaken')
    const made = await insertModel(db, modelOf(input, flagsOfNewModel))
    audit({ after: made })
    return made
  }),
  handle(editModel, async ({ db, input, refuse, refuseField, audit }) => {
    const before = await findModelToChange(db, input.id)
    if (!before) return refuse('notFound')
    audit({ target: before.model, before })
    const form = keepUnchanged(input, formOf(before))
    // Each of two people may have changed one of the two.
    if (!hasShorterPulses(form)) refuseField('pulsedutycycle', 'validation.belowPulseCycle')
    const after = { id: before.id, ...modelOf(form, before) }
    // Two that differed in capitals only before this was asked for are still changed in all else.
    const isRenamed = after.model !== before.model
    if (isRenamed && (await isDesignationTaken(db, after.model, after.id))) return refuse('modelTaken')
    await updateModel(db, after)
    audit({ after })
    return after
  }),
]
