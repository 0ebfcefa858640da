import { inTransaction, sql, type Database } from '../kit/database.ts'
import { addJob } from '../kit/jobs.ts'
import { reachStep } from '../kit/steps.ts'
import { chairEnded, commandAcknowledged } from './command-events.ts'
import { storeWifiAnswer } from './wifi-answers.ts'

/*
 * What boards answer to commands. Each of these may be told again and again, and counts once. How long ago it was is a
 * board's own count, which may be wrong: nothing was acknowledged before it was asked for, nor ended before that.
 */

/**
 * A chair answered a command, or its heartbeat shows that it runs it. The first answer counts; one that comes after
 * the command was given up is passed on too, so that the chair can be stopped.
 */
export async function storeAcknowledgement(
  db: Database,
  answer: { sid: string; commandId: string; accepted: boolean; reason: string; at: Date },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ kind: 'start' | 'stop' | 'wifi'; orderId: string | null; at: Date }>`
      update device_commands c set
        state = case when c.state = 'timedOut' then 'timedOut' when ${answer.accepted} then 'accepted' else 'refused' end,
        acknowledged_at = greatest(${answer.at}, c.created_at), reason = ${answer.reason}
       where c.id = ${answer.commandId} and c.acknowledged_at is null and c.state in ('pending', 'sent', 'timedOut')
         and c.device_id = (select id from devices where sid = ${answer.sid})
      returning c.kind, c.order_id as "orderId", c.acknowledged_at as at`.execute(trx)
    const { kind, orderId = null, at } = rows[0] ?? {}
    if (kind === 'wifi') return storeWifiAnswer(trx, answer)
    if (kind === undefined || orderId === null || at === undefined) return
    await addJob(
      trx,
      commandAcknowledged,
      {
        commandId: answer.commandId,
        kind,
        orderId,
        accepted: answer.accepted,
        reason: answer.reason,
        at: at.toISOString(),
      },
      { key: `acknowledged:${answer.commandId}` },
    )
    reachStep('acknowledgement stored')
  })
}

/** A start that was given up and acknowledged after that runs, since the chair is not stopped: it is one like any other. */
export async function takeAsAccepted(db: Database, commandId: string): Promise<void> {
  await sql`
    update device_commands set state = 'accepted', ended_at = null
     where id = ${commandId} and kind = 'start' and state = 'timedOut' and acknowledged_at is not null`.execute(
    db,
  )
}

/** A chair came to the end of a run, by time or because it was stopped. */
export async function storeEnd(
  db: Database,
  end: { sid: string; commandId: string; deliveredSeconds: number; at: Date },
): Promise<void> {
  const { sid, commandId } = end
  await inTransaction(db, async (trx) => {
    // A chair that reports the end has run, also when its acknowledgement was lost.
    const startedAt = new Date(end.at.getTime() - end.deliveredSeconds * 1000)
    await storeAcknowledgement(trx, { sid, commandId, accepted: true, reason: '', at: startedAt })
    const { rows } = await sql<{ orderId: string; deliveredSeconds: number; at: Date }>`
      update device_commands c set state = 'ended', ended_at = greatest(${end.at}, c.acknowledged_at),
             delivered_seconds = least(${end.deliveredSeconds}, (payload ->> 'durationSeconds')::integer)
       where c.id = ${commandId} and c.kind = 'start' and c.state in ('accepted', 'timedOut', 'ended') and c.delivered_seconds is null
         and c.device_id = (select id from devices where sid = ${sid})
      returning c.order_id as "orderId", c.delivered_seconds as "deliveredSeconds", c.ended_at as at`.execute(
      trx,
    )
    if (!rows[0]) return
    const { at, ...command } = rows[0]
    await addJob(
      trx,
      chairEnded,
      { commandId, ...command, at: at.toISOString(), wasTold: true },
      { key: `ended:${commandId}` },
    )
    reachStep('end stored')
  })
}

/** Of commands that boards say they run or have ended, those that we do not know to be so yet, with their durations. */
export async function commandsToLearnOf(
  db: Database,
  runningIds: readonly string[],
  endedIds: readonly string[],
): Promise<Map<string, { durationSeconds: number }>> {
  if (runningIds.length + endedIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; durationSeconds: number }>`
    select id, (payload ->> 'durationSeconds')::integer as "durationSeconds" from device_commands
     where (id = any(${[...runningIds]}) and acknowledged_at is null) or (id = any(${[...endedIds]}) and delivered_seconds is null)`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
