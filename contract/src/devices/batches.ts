import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  choice,
  filter,
  instant,
  integer,
  listOf,
  paging,
  recordId,
  textOrEmpty,
  leavingUnchanged,
} from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { deviceIdPattern } from './devices.ts'
import { BoardPassword, deviceLimits, massageTypeId } from './device-changes.ts'

/** Most devices of one batch. */
export const mostInBatch = 100_000

/** Spec 2 §3, "Batch". */
export const DeviceBatch = z.object({
  id: z.int(),
  /** Start of the range. */
  deviceid: z.string(),
  lastDeviceId: z.string(),
  amount: z.int(),
  modelid: z.int(),
  modelName: z.string(),
  typeid: z.string(),
  typeName: z.string(),
  fmversion: z.string(),
  createTime: instant,
  /** How many from the start on it keeps: the last that belongs or belonged to a merchant, and all before it. */
  assigned: z.int(),
})
export type DeviceBatch = z.output<typeof DeviceBatch>

export const batchColumns: readonly SheetColumn[] = [
  { field: 'deviceid', text: 'batches.field.deviceid', kind: 'id' },
  { field: 'lastDeviceId', text: 'batches.field.lastDeviceId', kind: 'id' },
  { field: 'amount', text: 'batches.field.amount', kind: 'integer' },
  { field: 'modelName', text: 'batches.field.modelName', kind: 'text' },
  { field: 'typeName', text: 'batches.field.typeName', kind: 'status', valueText: 'batches.type' },
  { field: 'fmversion', text: 'batches.field.fmversion', kind: 'id' },
  { field: 'assigned', text: 'batches.field.assigned', kind: 'integer' },
  { field: 'createTime', text: 'batches.field.createTime', kind: 'dateTime' },
]

/** `deviceid`, which is ours: batches that hold ids that begin so, or whose first or last id has it as a part. */
export const listBatches = endpoint({
  verb: 'GET',
  path: '/api/devices/batch',
  summary: 'A page of the batches, newest first',
  needs: 'batch.list',
  input: z.object({ ...paging, deviceid: filter(textOrEmpty(deviceLimits.deviceid)) }),
  data: listOf(DeviceBatch),
  refuses: [],
})

const startId = z
  .string({ error: ({ input }) => (input === undefined ? 'batchStartEmpty' : undefined) })
  .trim()
  .toUpperCase()
  .min(1, { error: 'batchStartEmpty' })
  .max(deviceLimits.deviceid)
  .regex(deviceIdPattern, { error: 'deviceId' })
  .regex(/\d/, { error: 'deviceId' })

const batchForm = {
  deviceid: startId,
  amount: integer(1, mostInBatch),
  modelid: recordId,
  typeid: choice([massageTypeId]),
  fmversion: textOrEmpty(deviceLimits.fmversion).default(''),
}

const kept = DeviceBatch.extend({
  /** Boards that were made, by device id, with their passwords: told this once, and kept nowhere. */
  boards: z.array(BoardPassword),
})

/** Makes all devices of a range, of nobody yet, or none of them. Removed ones of these ids come back as new. */
export const addBatch = endpoint({
  verb: 'POST',
  path: '/api/devices/batch',
  summary: 'Adds a batch with its devices',
  needs: 'batch.add',
  audit: 'batch.add',
  input: z.object(batchForm),
  data: kept,
  refuses: [],
})

/**
 * The start stays. A greater amount makes further devices; a smaller one removes the last ones, while those never
 * belonged to a merchant (decisions §3). Model and firmware also change for its devices that still have what it had.
 */
export const modifyBatch = endpoint({
  verb: 'PUT',
  path: '/api/devices/batch',
  summary: 'Changes a batch, and lets it grow or shrink',
  needs: 'batch.modify',
  audit: 'batch.modify',
  input: z.object({ id: recordId, ...batchForm, ...leavingUnchanged }),
  data: kept,
  refuses: ['notFound'],
})

/** With its devices, while none of them ever belonged to a merchant (decisions §3). */
export const deleteBatch = endpoint({
  verb: 'DELETE',
  path: '/api/devices/batch',
  summary: 'Deletes a batch with its devices',
  needs: 'batch.delete',
  audit: 'batch.delete',
  input: z.object({ id: recordId }),
  data: z.object({
    /** Devices that went with it. */
    removed: z.int(),
  }),
  refuses: ['notFound', 'batchAssigned'],
})

export const batchCalls = { listBatches, addBatch, modifyBatch, deleteBatch }
