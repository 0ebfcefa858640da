import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  choice,
  filter,
  flag,
  integer,
  recordId,
  text,
  textOrEmpty,
  leavingUnchanged,
} from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'

/** Limits of a model's fields (spec 2 §§5, 9); the reset takes a day at most. */
export const modelLimits = {
  model: 64,
  name: 64,
  pulseCycleMs: { least: 10, most: 5000 },
  pulseDutyCycleMs: { least: 10, most: 255 },
  pulseDurationMinutes: { least: 1, most: 255 },
  resetSeconds: { least: 0, most: 86_400 },
} as const

/** How a chair is told to start (spec 2 §3): by a command, by pulses, or by text that is passed through to it. */
export const controlModes = { command: 1, pulse: 2, passThrough: 3 } as const

/** Spec 2 §3, "Model". */
export const DeviceModel = z.object({
  id: z.int(),
  model: z.string(),
  name: z.string(),
  /** See `controlModes`. */
  controlMode: z.int(),
  /** In milliseconds; the pulse's own fields say something in control mode 2 only. */
  pulseCycle: z.int(),
  /** In milliseconds. */
  pulseDutyCycle: z.int(),
  /** Minutes that one pulse gives. */
  pulseDuration: z.int(),
  /** Its chairs can be stopped before their time. */
  controllable: z.boolean(),
  /** Its chairs have a light that is on while they run. */
  lightTherapy: z.boolean(),
  sleepMode: z.boolean(),
  /** Seconds after a run in which a chair goes back to its beginning, and is not started. */
  resetTime: z.int(),
})
export type DeviceModel = z.output<typeof DeviceModel>

/** Columns of the list of models. */
export const modelColumns: readonly SheetColumn[] = [
  { field: 'model', text: 'models.field.model', kind: 'text' },
  { field: 'name', text: 'models.field.name', kind: 'text' },
  { field: 'controlMode', text: 'models.field.controlMode', kind: 'status', valueText: 'models.controlMode' },
  { field: 'pulseCycle', text: 'models.field.pulseCycle', kind: 'integer' },
  { field: 'pulseDutyCycle', text: 'models.field.pulseDutyCycle', kind: 'integer' },
  { field: 'pulseDuration', text: 'models.field.pulseDuration', kind: 'integer' },
  { field: 'resetTime', text: 'models.field.resetTime', kind: 'integer' },
  { field: 'controllable', text: 'models.field.controllable', kind: 'status', valueText: 'models.flag' },
  { field: 'lightTherapy', text: 'models.field.lightTherapy', kind: 'status', valueText: 'models.flag' },
  { field: 'sleepMode', text: 'models.field.sleepMode', kind: 'status', valueText: 'models.flag' },
]

/** Whoever sees devices may read the models, for their filters; sorted by designation. */
export const listModels = endpoint({
  verb: 'GET',
  path: '/api/device/models',
  summary: 'Every device model',
  needs: ['device.list', 'model.list'],
  input: z.object({}),
  data: z.array(DeviceModel),
  refuses: [],
})

const between = ({ least, most }: { least: number; most: number }) => integer(least, most)

const modelForm = {
  model: text(modelLimits.model),
  name: textOrEmpty(modelLimits.name).default(''),
  controlmode: choice(['1', '2', '3']),
  pulsecycle: between(modelLimits.pulseCycleMs),
  pulsedutycycle: between(modelLimits.pulseDutyCycleMs),
  pulseDuration: between(modelLimits.pulseDurationMinutes),
  resetTime: between(modelLimits.resetSeconds),
  controllable: filter(flag),
  lighttherapy: filter(flag),
  /** Ours: spec 2 §7 names no field for it. */
  sleepmode: filter(flag),
}

interface PulseForm {
  controlmode: string
  pulsecycle: number
  pulsedutycycle: number
}

/** Whether a pulse ends before the next one begins: boards refuse any other (docs/device-protocol.md). */
export const hasShorterPulses = (form: PulseForm): boolean =>
  Number(form.controlmode) !== controlModes.pulse || form.pulsedutycycle < form.pulsecycle

function requireShorterPulses(form: PulseForm, context: z.RefinementCtx): void {
  if (hasShorterPulses(form)) return
  context.addIssue({ code: 'custom', path: ['pulsedutycycle'], message: 'belowPulseCycle', input: undefined })
}

const kept = { data: DeviceModel, refuses: ['modelTaken'] } as const

export const addModel = endpoint({
  verb: 'POST',
  path: '/api/device/model',
  summary: 'Adds a device model',
  needs: 'model.add',
  audit: 'model.add',
  input: z.object(modelForm).superRefine(requireShorterPulses),
  ...kept,
})

/** Yes and no stay as they are when they are not sent. Chairs of the model get it with their next start. */
export const editModel = endpoint({
  verb: 'PUT',
  path: '/api/device/model',
  summary: 'Changes a device model',
  needs: 'model.edit',
  audit: 'model.edit',
  input: z.object({ id: recordId, ...modelForm, ...leavingUnchanged }).superRefine(requireShorterPulses),
  data: DeviceModel,
  refuses: ['notFound', 'modelTaken'],
})

export const modelCalls = { listModels, addModel, editModel }
