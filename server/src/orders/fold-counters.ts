import { z } from 'zod'
import { foldDeviceCounters } from '../devices/device-counters.ts'
import { sql, type Database } from '../kit/database.ts'
import { reachStep } from '../kit/steps.ts'
import { handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'

const foldAll = jobKind('orders:fold-counters', z.unknown())

/** Folds what changed since into the counters of orders and devices and into income rollups; lists and reports are exact before that too. */
export async function foldRollups(db: Database): Promise<void> {
  await sql`select fold_order_counters()`.execute(db)
  reachStep('counters folded')
  await sql`select fold_income()`.execute(db)
  await foldDeviceCounters(db)
}

/** A safety net for the moments without a folding process. */
export const counterJobs: JobHandler[] = [handleJob(foldAll, ({ db }) => foldRollups(db))]
export const counterCrontab = '* * * * * orders:fold-counters'

const foldEveryMs = 2000

/** Folds every two seconds while the process runs. */
export function startFolding(db: Database, onError: (error: unknown) => void): { stop(): void } {
  let running = false
  const timer = setInterval(async () => {
    if (running) return
    running = true
    try {
      await foldRollups(db)
    } catch (error) {
      onError(error)
    } finally {
      running = false
    }
  }, foldEveryMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
