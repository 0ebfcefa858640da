import type { DeviceModel } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { isUniqueViolation } from '../kit/unique-violation.ts'

export type NewModel = Omit<DeviceModel, 'id'>

const columns = sql`
  id, model, name, control_mode as "controlMode", pulse_cycle_ms as "pulseCycle", pulse_duty_cycle_ms as "pulseDutyCycle",
  pulse_duration_minutes as "pulseDuration", controllable, light_therapy as "lightTherapy", sleep_mode as "sleepMode",
  reset_seconds as "resetTime"`

/** Every model; there are dozens of them, and they are everybody's. */
export async function findModels(db: Database): Promise<DeviceModel[]> {
  const { rows } = await sql<DeviceModel>`select ${columns} from device_models order by model`.execute(db)
  return rows
}

/** A model, locked for a change of it. */
export async function findModelToChange(db: Database, id: number): Promise<DeviceModel | undefined> {
  const { rows } = await sql<DeviceModel>`
    select ${columns} from device_models where id = ${id} for no key update`.execute(db)
  return rows[0]
}

/** @returns undefined when there is one of this designation */
export async function insertModel(db: Database, made: NewModel): Promise<DeviceModel | undefined> {
  const { rows } = await sql<DeviceModel>`
    insert into device_models (model, name, control_mode, pulse_cycle_ms, pulse_duty_cycle_ms, pulse_duration_minutes,
                               controllable, light_therapy, sleep_mode, reset_seconds)
    values (${made.model}, ${made.name}, ${made.controlMode}, ${made.pulseCycle}, ${made.pulseDutyCycle}, ${made.pulseDuration},
            ${made.controllable}, ${made.lightTherapy}, ${made.sleepMode}, ${made.resetTime})
    on conflict (model) do nothing returning ${columns}`.execute(db)
  return rows[0]
}

/**
 * Stores a model; the transaction is over when it is refused.
 * @returns whether it was stored: another may have this designation
 */
export async function updateModel(db: Database, { id, ...changed }: DeviceModel): Promise<boolean> {
  try {
    await sql`
      update device_models
         set model = ${changed.model}, name = ${changed.name}, control_mode = ${changed.controlMode},
             pulse_cycle_ms = ${changed.pulseCycle}, pulse_duty_cycle_ms = ${changed.pulseDutyCycle},
             pulse_duration_minutes = ${changed.pulseDuration}, controllable = ${changed.controllable},
             light_therapy = ${changed.lightTherapy}, sleep_mode = ${changed.sleepMode}, reset_seconds = ${changed.resetTime}
       where id = ${id}`.execute(db)
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
