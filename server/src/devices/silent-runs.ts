import { z } from 'zod'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { chairEnded } from './command-events.ts'

/** A run whose end no board tells has ended this long after its time. */
const overdueSeconds = 120
const mostAtOnce = 500

const endSilent = jobKind('devices:end-silent-runs', z.unknown())

/** Every minute. */
export const silentRunsCrontab = '* * * * * devices:end-silent-runs'

export const silentRunJobs: JobHandler[] = [handleJob(endSilent, ({ db }) => endSilentRuns(db))]

/**
 * Every start that was accepted has one end, also when the board's word of it is lost: it names its last run only, and
 * the next start makes it forget the one before. What was delivered stays unknown, for a board that may yet tell it.
 */
async function endSilentRuns(db: Database): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ commandId: string; orderId: string; deliveredSeconds: number; at: Date }>`
      with silent as (
        select id, acknowledged_at + make_interval(secs => (payload ->> 'durationSeconds')::integer) as ends_at
          from device_commands
         where kind = 'start' and state = 'accepted'
           and acknowledged_at + make_interval(secs => (payload ->> 'durationSeconds')::integer) < now() - make_interval(secs => ${overdueSeconds})
         limit ${mostAtOnce} for update skip locked)
      update device_commands c set state = 'ended', ended_at = silent.ends_at
        from silent where c.id = silent.id
      returning c.id as "commandId", c.order_id as "orderId", (c.payload ->> 'durationSeconds')::integer as "deliveredSeconds",
                c.ended_at as at`.execute(trx)
    for (const { at, ...run } of rows)
      await addJob(
        trx,
        chairEnded,
        { ...run, at: at.toISOString(), wasTold: false },
        { key: `ended:${run.commandId}` },
      )
  })
}
