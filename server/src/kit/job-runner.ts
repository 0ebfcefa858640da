import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger as WorkerLogger, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import { announceWorkers } from './worker-processes.ts'

export interface RunnerOptions {
  pool: pg.Pool
  log: Logger
  taskList: TaskList
  concurrency: number
  /** A crontab of graphile-worker for repeated jobs. */
  crontab: string | undefined
}

export interface JobRunner {
  /** Whether jobs are taken. */
  isRunning(): boolean
  /** The name under which its jobs are locked; a new one after each start, none while it does not run. */
  lockedBy(): string | undefined
  /** Ends when the jobs under way are done. */
  stop(): Promise<void>
}

const startAgainMs = 1000

/** Takes jobs until it is stopped; where graphile-worker gives up, because the database went away, it starts anew. */
export async function keepRunning(options: RunnerOptions): Promise<JobRunner> {
  let life: Life | undefined = await startLife(options)
  const stopping = new AbortController()
  const keep = async () => {
    while (life) {
      await life.ended
      life = undefined
      if (stopping.signal.aborted) return
      options.log.error('the workers gave up and are started again')
      life = await startAgain(options, stopping.signal)
      if (stopping.signal.aborted) await life?.stop()
    }
  }
  const kept = keep()
  return {
    isRunning: () => life !== undefined && !stopping.signal.aborted,
    lockedBy: () => life?.lockedBy,
    async stop() {
      stopping.abort()
      await life?.stop()
      await kept
    },
  }
}

/** From a start of the workers to their end; their end is never an error. */
interface Life {
  lockedBy: string
  ended: Promise<void>
  stop(): Promise<void>
}

async function startLife({ pool, log, taskList, concurrency, crontab }: RunnerOptions): Promise<Life> {
  let lockedBy = ''
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => {
    lockedBy = workerPool.id
  })
  const runner = await run({
    events,
    pgPool: pool,
    logger: workerLogger(log),
    taskList,
    concurrency,
    pollInterval: 1000,
    noHandleSignals: true,
    // Without a batch the end of a job is written by a promise that nobody holds: while the database is away, its
    // rejection would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    ...(crontab ? { crontab } : { parsedCronItems: [] }),
  })
  const over = runner.promise.catch((error: unknown) => log.warn({ err: error }, 'the workers ended'))
  const stop = () =>
    runner
      .stop()
      .catch((error: unknown) => log.warn({ err: error }, 'the workers could not be stopped in order'))
  try {
    const takeBack = await announceWorkers(pool, [lockedBy], log)
    const ended = over
      .then(takeBack)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the workers stay announced until their lock is gone'),
      )
    return { lockedBy, ended, stop: () => stop().then(() => ended) }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAgain(options: RunnerOptions, signal: AbortSignal): Promise<Life | undefined> {
  while (!signal.aborted) {
    try {
      return await startLife(options)
    } catch (error) {
      options.log.warn({ err: error }, 'jobs cannot be taken yet')
      await wait(startAgainMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}

/** What the queue says goes to our own log; that a job was done is nothing to say. */
function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message, meta) => {
    // Under this name its words and its stack are written out.
    if (level === 'error') log.error({ err: meta?.['error'] ?? undefined }, message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
}
