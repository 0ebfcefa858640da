import { setImmediate } from 'node:timers/promises'
import {
  addBatch,
  batchRange,
  deleteBatch,
  idInRange,
  listBatches,
  modifyBatch,
  roomOf,
  type BatchRange,
  type DataOf,
  type DeviceBatch,
} from '@chairside/contract'
import { handle, handleList, type Call, type CallContext } from '../kit/call.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import {
  deleteBatchRow,
  findBatch,
  findBatches,
  findBatchToChange,
  findLastAssigned,
  findTaken,
  holdRange,
  insertBatch,
  insertDevicesOfBatch,
  removeDevicesOfBatch,
  streamBatches,
  updateBatch,
  updateDevicesOfBatch,
  type BatchFields,
  type BatchRecord,
} from './batches-sql.ts'
import type { DeviceCredentials } from './device-credentials.ts'
import { findModels } from './models-sql.ts'

type AddContext = CallContext<typeof addBatch>
type ModifyContext = CallContext<typeof modifyBatch>
type Boards = DataOf<typeof addBatch>['boards']

const rowOf = (record: BatchRecord): DeviceBatch => ({
  ...record,
  typeName: 'massage',
  createTime: record.createTime.toISOString(),
})

const rangeOf = ({ deviceid, amount }: Pick<DeviceBatch, 'deviceid' | 'amount'>) =>
  batchRange(deviceid, amount)
const fieldsOf = ({ modelid, typeid, fmversion }: BatchRecord | AddContext['input']): BatchFields => ({
  modelId: modelid,
  typeId: typeid,
  firmware: fmversion,
})
/** What of a batch is worth a line in the audit trail. */
const auditedOf = ({ lastDeviceId, amount, modelName, fmversion }: BatchRecord) => ({
  lastDeviceId,
  amount,
  model: modelName,
  fmversion,
})

type Refuser = Pick<AddContext | ModifyContext, 'refuseField'>

/** Refuses a range whose digits do not suffice. */
function assertRoom(range: BatchRange, { refuseField }: Refuser): void {
  const most = roomOf(range)
  if (range.amount <= most) return
  const deviceId = idInRange(range, 0)
  if (range.digits === 0) refuseField('amount', 'validation.batchOfOne', { deviceId })
  refuseField('amount', 'validation.batchOutOfDigits', { deviceId, most })
}

async function modelNameOf({ db, input, refuseField }: AddContext | ModifyContext): Promise<string> {
  const model = (await findModels(db)).find(({ id }) => id === input.modelid)
  return model?.model ?? refuseField('modelid', 'validation.modelUnknown')
}

/** Boards whose passwords are made before others have their turn: some milliseconds. */
const boardsPerTurn = 2000

/** New passwords for the boards of a range, and the credentials that are kept of them, one behind the other. */
async function issuePasswords(
  credentials: DeviceCredentials,
  range: BatchRange,
): Promise<{ boards: Boards; hashes: Buffer }> {
  const boards: Boards = []
  const hashes: Buffer[] = []
  for (let place = 0; place < range.amount; place++) {
    const deviceId = idInRange(range, place)
    const { password, hash } = credentials.issue(deviceId)
    boards.push({ deviceId, password })
    hashes.push(hash)
    if (place % boardsPerTurn === boardsPerTurn - 1) await setImmediate()
  }
  return { boards, hashes: Buffer.concat(hashes) }
}

/** Makes the devices of a range for a batch; `field` is the one to change when an id is taken. */
async function makeDevices(
  credentials: DeviceCredentials,
  context: AddContext | ModifyContext,
  made: { batchId: number; range: BatchRange; field: 'deviceid' | 'amount' },
): Promise<Boards> {
  const { db, input, caller, refuseField } = context
  const { boards, hashes } = await issuePasswords(credentials, made.range)
  const batch = { id: made.batchId, ...fieldsOf(input) }
  const count = await insertDevicesOfBatch(db, batch, made.range, hashes, caller())
  if (count < made.range.amount) {
    // Somebody added one of them by itself in the meantime; what was made here is rolled back.
    const taken = await findTaken(db, made.range, made.batchId)
    refuseField(made.field, 'validation.batchTaken', { deviceId: taken ?? idInRange(made.range, 0) })
  }
  return boards
}

async function add(credentials: DeviceCredentials, context: AddContext) {
  const { db, input, refuseField, audit } = context
  const range = rangeOf(input)
  audit({ target: input.deviceid })
  assertRoom(range, context)
  await modelNameOf(context)
  await holdRange(db, range)
  const taken = await findTaken(db, range)
  if (taken !== undefined) refuseField('deviceid', 'validation.batchTaken', { deviceId: taken })
  const batchId = await insertBatch(db, range, fieldsOf(input))
  const boards = await makeDevices(credentials, context, { batchId, range, field: 'deviceid' })
  const batch = await storedBatch(context, batchId)
  audit({ after: auditedOf(batch) })
  return { ...rowOf(batch), boards }
}

async function storedBatch({ db }: Pick<AddContext, 'db'>, id: number): Promise<BatchRecord> {
  const batch = await findBatch(db, id)
  if (!batch) throw new Error(`batch ${id} was not stored`)
  return batch
}

/** Further devices after the last one. */
async function grow(
  credentials: DeviceCredentials,
  context: ModifyContext,
  before: BatchRecord,
): Promise<Boards> {
  const whole = rangeOf(context.input)
  assertRoom(whole, context)
  const range = {
    ...whole,
    first: whole.first + BigInt(before.amount),
    amount: whole.amount - before.amount,
  }
  await holdRange(context.db, range)
  const taken = await findTaken(context.db, range, before.id)
  if (taken !== undefined) context.refuseField('amount', 'validation.batchTaken', { deviceId: taken })
  return makeDevices(credentials, context, { batchId: before.id, range, field: 'amount' })
}

/** Without its last devices, as far as those never belonged to a merchant. */
async function shrink({ db, input, caller, refuseField }: ModifyContext, before: BatchRecord) {
  const range = rangeOf(before)
  await removeDevicesOfBatch(db, before.id, range, input.amount, caller())
  const kept = await findLastAssigned(db, before.id, range, input.amount)
  if (kept === undefined) return
  const { assigned } = await storedBatch({ db }, before.id)
  refuseField('amount', 'validation.batchKeeps', { deviceId: kept, least: assigned })
}

async function modify(credentials: DeviceCredentials, sent: ModifyContext) {
  const { db, caller, refuse, refuseField, audit } = sent
  const before = await findBatchToChange(db, sent.input.id)
  if (!before) return refuse('notFound')
  const { amount, modelid, fmversion } = before
  const context = { ...sent, input: keepUnchanged(sent.input, { amount, modelid, fmversion }) }
  const { input } = context
  audit({ target: before.deviceid })
  if (input.deviceid !== before.deviceid) refuseField('deviceid', 'validation.batchStartStays')
  const modelName = await modelNameOf(context)
  if (input.amount < before.amount) await shrink(context, before)
  const boards = input.amount > before.amount ? await grow(credentials, context, before) : []
  const fields = fieldsOf(input)
  await updateBatch(db, before.id, rangeOf(input), fields)
  await updateDevicesOfBatch(db, before.id, { before: fieldsOf(before), after: fields, modelName }, caller())
  const after = await storedBatch(context, before.id)
  audit({ before: auditedOf(before), after: auditedOf(after) })
  return { ...rowOf(after), boards }
}

async function remove({ db, input, caller, refuse, audit }: CallContext<typeof deleteBatch>) {
  const batch = await findBatchToChange(db, input.id)
  if (!batch) return refuse('notFound')
  audit({ target: batch.deviceid, before: auditedOf(batch) })
  const range = rangeOf(batch)
  const removed = await removeDevicesOfBatch(db, batch.id, range, 0, caller())
  const kept = await findLastAssigned(db, batch.id, range, 0)
  if (kept !== undefined) return refuse('batchAssigned', { deviceId: kept })
  await deleteBatchRow(db, batch.id)
  return { removed }
}

/** Batches of devices (spec 2 §7, decisions §3). */
export const createBatchCalls = (credentials: DeviceCredentials): Call[] => [
  handleList(listBatches, {
    page: async ({ db, input }) => {
      const { pagesize: take, pagenum } = input
      const { list, total } = await findBatches(db, input.deviceid?.toUpperCase(), {
        skip: (pagenum - 1) * take,
        take,
      })
      return { list: list.map(rowOf), total }
    },
    rows: async function* ({ db, input }: CallContext<typeof listBatches>) {
      for await (const records of streamBatches(db, input.deviceid?.toUpperCase())) yield records.map(rowOf)
    },
  }),
  handle(addBatch, (context) => add(credentials, context)),
  handle(modifyBatch, (context) => modify(credentials, context)),
  handle(deleteBatch, remove),
]
