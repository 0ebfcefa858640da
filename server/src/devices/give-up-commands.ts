import { z } from 'zod'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { commandTimedOut } from './command-events.ts'
import { noteWifiSilence } from './wifi-answers.ts'

/** Sends of one command: the first and two more. */
export const mostAttempts = 3

/**
 * How long after the last board refuses it a command is given up, in seconds: boards count whole seconds, and their
 * clocks are a little off.
 */
export const marginSeconds = 3

export type CommandKind = 'start' | 'stop' | 'wifi'

export interface CommandToGiveUp {
  id: string
  kind: CommandKind
  orderId: string | null
}

/** Gives a command up that is locked and not answered; whoever paid for a start gets the money back. */
export async function giveUp(db: Database, { id: commandId, orderId, kind }: CommandToGiveUp): Promise<void> {
  const { rows } = await sql<{ at: Date }>`
    update device_commands set state = 'timedOut', ended_at = clock_timestamp() where id = ${commandId}
    returning ended_at as at`.execute(db)
  if (kind === 'wifi') await noteWifiSilence(db, commandId)
  const at = rows[0]?.at
  if (orderId === null || kind === 'wifi' || !at) return
  await addJob(
    db,
    commandTimedOut,
    { commandId, orderId, kind, at: at.toISOString() },
    { key: `timedOut:${commandId}` },
  )
}

/** A gateway that is there has given it up by then. */
const abandonedAfterSeconds = 60
const mostAtOnce = 500

const giveUpAbandoned = jobKind('devices:give-up-abandoned', z.unknown())

/** Every minute. */
export const abandonedCommandsCrontab = '* * * * * devices:give-up-abandoned'

/**
 * Gateways send commands and give them up. While none is there, whoever paid for a start would wait for the money until
 * one comes back; boards refuse what is that old, so another process may give it up.
 * @param ackSeconds how long a chair may take to acknowledge, before each retry
 */
export const createAbandonedCommandJobs = (ackSeconds: number): JobHandler[] => [
  handleJob(giveUpAbandoned, ({ db }) =>
    inTransaction(db, async (trx) => {
      const afterSeconds = ackSeconds * mostAttempts + marginSeconds + abandonedAfterSeconds
      const { rows } = await sql<CommandToGiveUp>`
        select id, kind, order_id as "orderId" from device_commands
         where state in ('pending', 'sent') and created_at < now() - make_interval(secs => ${afterSeconds})
         order by next_look_at limit ${mostAtOnce} for update skip locked`.execute(trx)
      for (const command of rows) await giveUp(trx, command)
    }),
  ),
]
