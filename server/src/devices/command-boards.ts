import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandRefusal, DevicesChanged } from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
import type { CallContext } from '../kit/call.ts'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import type { Principal } from '../kit/principal.ts'
import { boardReason } from './board-reason.ts'
import { waitedForSeconds } from './device-commands.ts'
import { writeDeviceLog, type DeviceLogLine } from './device-log.ts'
import { missingOf, type NamedDevices } from './devices-to-change-sql.ts'
import { findDevicesToCommand, type DeviceToCommand } from './devices-to-command-sql.ts'

/** Of the calls that send something to boards and wait for what they say. */
type Context = Pick<CallContext, 'db' | 'scope' | 'language' | 'caller' | 'audit'> & {
  refuse(refusal: CommandRefusal | 'noDeviceChosen', data?: unknown): never
}

export interface BoardCommand {
  /** Why a device is not told; undefined when it is. */
  judge(db: Database, device: DeviceToCommand): Promise<CommandRefusal | undefined>
  /** Asks for the commands of all of them in the transaction; answers the ids of the commands in the order of the devices. */
  send(db: Database, devices: readonly DeviceToCommand[], by: Principal): Promise<string[]>
  log(device: DeviceToCommand, commandId: string): Omit<DeviceLogLine, 'deviceId' | 'merchantId'>
  /** What is kept in the audit trail. */
  after: Record<string, unknown>
}

interface Failure {
  id: number
  deviceId: string
  refusal: CommandRefusal
  /** The board's own word. */
  reason: string
}

const mostNamed = 20

/**
 * Sends commands to boards and waits until each has answered or its time is over. What cannot be done with one of many is
 * told with its reason and keeps no other back; one that was asked for alone is refused.
 */
export async function commandBoards(
  context: Context,
  wanted: NamedDevices,
  command: BoardCommand,
): Promise<DevicesChanged> {
  const { db, language, refuse, audit } = context
  const named = [...new Set(wanted)]
  if (named.length === 0) return refuse('noDeviceChosen')
  const asked = await inTransaction(db, (trx) => ask(trx, context, named, command))
  audit({ target: namesOf(asked.found) || named.slice(0, mostNamed).join(', '), after: command.after })
  if (asked.found.length === 0) return refuse('notFound')

  const answers = await awaitAnswers(db, [...asked.sent.keys()])
  const unanswered = [...asked.sent].flatMap(([commandId, device]) =>
    failureOf(device, answers.get(commandId), language),
  )
  const missing = missingOf(named, asked.found).map((one): Failure => ({
    ...one,
    refusal: 'notFound',
    reason: '',
  }))
  const failed = [...asked.refused, ...unanswered, ...missing]
  const [only] = failed
  if (only && asked.found.length + missing.length === 1) return refuse(only.refusal, { reason: only.reason })
  return {
    changed: asked.found.length + missing.length - failed.length,
    failed: failed.map(({ id, deviceId, refusal, reason }) => ({
      id,
      deviceId,
      message: translate(language, `refusals.${refusal}`, { reason }),
    })),
  }
}

function namesOf(devices: readonly DeviceToCommand[]): string {
  const names = devices.slice(0, mostNamed).map(({ sid }) => sid)
  return devices.length > mostNamed ? `${names.join(', ')} … (${devices.length})` : names.join(', ')
}

interface Asked {
  found: readonly DeviceToCommand[]
  refused: Failure[]
  sent: Map<string, DeviceToCommand>
}

async function ask(
  db: Database,
  { scope, caller }: Context,
  named: NamedDevices,
  command: BoardCommand,
): Promise<Asked> {
  const found = await findDevicesToCommand(db, scope, named)
  const refused: Failure[] = []
  const told: DeviceToCommand[] = []
  for (const device of found) {
    const refusal = await command.judge(db, device)
    if (refusal === undefined) told.push(device)
    else refused.push({ id: device.id, deviceId: device.sid, refusal, reason: '' })
  }
  const commandIds = told.length === 0 ? [] : await command.send(db, told, caller())
  const sent = new Map(commandIds.map((commandId, index) => [commandId, told[index] as DeviceToCommand]))
  const lines = [...sent].map(([commandId, device]) => ({
    deviceId: device.id,
    merchantId: device.merchantId,
    ...command.log(device, commandId),
  }))
  await writeDeviceLog(db, caller(), lines)
  return { found, refused, sent }
}

interface Answer {
  state: string
  reason: string
}

const pollMs = 100
const isOpen = ({ state }: Answer) => state === 'pending' || state === 'sent'

/** What boards answered; those that did not answer in time stay as they are. No row is held meanwhile. */
async function awaitAnswers(db: Database, commandIds: readonly string[]): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  const givenUpAtMs = performance.now() + waitedForSeconds * 1000
  for (let open = [...commandIds]; open.length > 0;) {
    await sleep(pollMs)
    const { rows } = await sql<Answer & { id: string }>`
      select id, state, reason from device_commands where id = any(${open})`.execute(db)
    for (const { id, ...answer } of rows) answers.set(id, answer)
    open = performance.now() > givenUpAtMs ? [] : rows.filter(isOpen).map(({ id }) => id)
  }
  return answers
}

function failureOf(
  { id, sid: deviceId }: DeviceToCommand,
  answer: Answer | undefined,
  language: Language,
): Failure[] {
  if (answer?.state === 'accepted' || answer?.state === 'ended') return []
  const refusal = answer?.state === 'refused' ? 'deviceRefused' : 'deviceNoAnswer'
  return [{ id, deviceId, refusal, reason: boardReason(answer?.reason ?? '', language) }]
}
