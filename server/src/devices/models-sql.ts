import type { DeviceModel } from '@chairside/contract'
import { advisoryLocks } from '../kit/advisory-locks.ts'
import { sql, type Database } from '../kit/database.ts'

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

/**
 * Whether a model has this designation, in capitals or small letters; nobody else gives one to a model until the
 * transaction ends.
 * @param ownId the model that may have it
 */
export async function isDesignationTaken(db: Database, model: string, ownId?: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.modelDesignation})`.execute(db)
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from device_models
                    where lower(model) = lower(${model}) and id is distinct from ${ownId ?? null}) as taken`.execute(
    db,
  )
  return rows[0]?.taken ?? false
}

export async function insertModel(db: Database, made: NewModel): Promise<DeviceModel> {
  const { rows } = await sql<DeviceModel>`
    insert into device_models (model, name, control_mode, pulse_cycle_ms, pulse_duty_cycle_ms, pulse_duration_minutes,
                               controllable, light_therapy, sleep_mode, reset_seconds)
    values (${made.model}, ${made.name}, ${made.controlMode}, ${made.pulseCycle}, ${made.pulseDutyCycle}, ${made.pulseDuration},
            ${made.controllable}, ${made.lightTherapy}, ${made.sleepMode}, ${made.resetTime})
    returning ${columns}`.execute(db)
  return rows[0] as DeviceModel
}

export async function updateModel(db: Database, { id, ...changed }: DeviceModel): Promise<void> {
  await sql`
    update device_models
       set model = ${changed.model}, name = ${changed.name}, control_mode = ${changed.controlMode},
           pulse_cycle_ms = ${changed.pulseCycle}, pulse_duty_cycle_ms = ${changed.pulseDutyCycle},
           pulse_duration_minutes = ${changed.pulseDuration}, controllable = ${changed.controllable},
           light_therapy = ${changed.lightTherapy}, sleep_mode = ${changed.sleepMode}, reset_seconds = ${changed.resetTime}
     where id = ${id}`.execute(db)
}
