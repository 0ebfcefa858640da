import type { TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { sql, type Database } from './database.ts'
import { keepRunning, type JobRunner } from './job-runner.ts'
import { reachStep } from './steps.ts'
import { releaseLostJobs } from './worker-processes.ts'

/**
 * A kind of background work: declared by the domain that does it, asked for by whoever has the fact that needs it.
 * Asking happens inside the transaction of the fact (`addJob`), so that neither is there without the other.
 */
export interface JobKind<Payload extends z.ZodType = z.ZodType> {
  name: string
  payload: Payload
  /**
   * It waits for somebody outside, who may take long or be away: all jobs that do not pass it in the queue, so that a
   * provider that hangs keeps no chair from starting.
   */
  waitsOutside: boolean
}

export const jobKind = <Payload extends z.ZodType>(
  name: string,
  payload: Payload,
  { waitsOutside = false }: { waitsOutside?: boolean } = {},
): JobKind<Payload> => ({ name, payload, waitsOutside })

/** Places in the queue, the lowest number first. */
const usualPriority = 0
const waitingPriority = 10

export interface JobOptions {
  /** Not before this instant. */
  runAt?: Date
  /** Jobs with the same key replace each other while they wait. */
  key?: string
  /** The one that waits under this key keeps its time. */
  keepsTime?: boolean
  /** Jobs of one queue run one after another. */
  queue?: string
}

/**
 * Asks for work, in the transaction of `db`. Where the job that waits under the key is taken in the moment in which it would be
 * replaced, the queue keeps nothing and answers none; asked again, it keeps the new one beside it.
 */
export async function addJob<Payload extends z.ZodType>(
  db: Database,
  kind: JobKind<Payload>,
  payload: z.input<Payload>,
  options: JobOptions = {},
): Promise<void> {
  const add = sql<{ id: number | null }>`
    select id from graphile_worker.add_job(
      ${kind.name}, ${JSON.stringify(payload)}::json,
      run_at => ${options.runAt ?? null}, priority => ${kind.waitsOutside ? waitingPriority : usualPriority},
      job_key => ${options.key ?? null}, job_key_mode => ${options.keepsTime ? 'preserve_run_at' : null},
      queue_name => ${options.queue ?? null})`
  let isKept = false
  while (!isKept) isKept = (await add.execute(db)).rows[0]?.id !== null
}

export interface JobContext {
  db: Database
  log: Logger
}

/** A job with its worker. */
export interface JobHandler {
  kind: JobKind
  work(context: JobContext, payload: unknown): Promise<void>
}

/** Says how a kind of job is done. A job may run more than once and has to be harmless then. */
export function handleJob<Payload extends z.ZodType>(
  kind: JobKind<Payload>,
  work: (context: JobContext, payload: z.output<Payload>) => Promise<void>,
): JobHandler {
  return { kind, work: (context, payload) => work(context, kind.payload.parse(payload)) }
}

const releaseEveryMs = 2000
/** To a database that says this, graphile-worker comes back later and later: after three minutes in the end. */
const triedRarely = new Set<unknown>(['57P03', 'EHOSTUNREACH', 'ETIMEDOUT'])
const isTriedRarely = (error: unknown) =>
  error instanceof Error && 'code' in error && triedRarely.has(error.code)

const defaultConcurrency = 10

export type RunningJobs = Pick<JobRunner, 'isRunning' | 'stop'>

/** Starts the workers of this process. */
export async function startJobs(options: {
  pool: pg.Pool
  db: Database
  log: Logger
  handlers: readonly JobHandler[]
  concurrency?: number
  /** A crontab of graphile-worker for repeated jobs. */
  crontab?: string
}): Promise<RunningJobs> {
  const { pool, db, log, concurrency = defaultConcurrency, crontab } = options
  const underWay = new Set<string>()
  const taskList: TaskList = Object.fromEntries(
    options.handlers.map(({ kind, work }) => [
      kind.name,
      async (payload, { job }) => {
        underWay.add(job.id)
        try {
          reachStep('job begun')
          await work({ db, log: log.child({ job: kind.name }) }, payload)
          reachStep('job done')
        } finally {
          underWay.delete(job.id)
        }
      },
    ]),
  )
  const release = (lockedBy: string | undefined) => releaseLostJobs(db, { lockedBy, underWay: [...underWay] })
  const tellOf = (error: unknown) => log.warn({ err: error }, 'lost jobs were not looked for')
  await release(undefined).catch(tellOf)
  const runner = await keepRunning({ pool, log, taskList, concurrency, crontab })
  let isWaitedFor = false
  const look = async () => {
    try {
      await release(runner.lockedBy())
      if (isWaitedFor) runner.startAnew()
      isWaitedFor = false
    } catch (error) {
      isWaitedFor ||= isTriedRarely(error)
      tellOf(error)
    }
  }
  const timer = setInterval(() => void look(), releaseEveryMs)
  timer.unref()
  return {
    isRunning: () => runner.isRunning(),
    async stop() {
      clearInterval(timer)
      await runner.stop()
    },
  }
}
