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
  /** Others take the place of its workers. */
  startAnew(): void
  /** Ends when the jobs under way are done. */
  stop(): Promise<void>
}

const startAgainMs = 1000
/** How long workers that have ended their jobs may take to write that down. */
const writeOffMs = 5000

/** Takes jobs until it is stopped; where graphile-worker gives up, because the database went away, it starts anew. */
export async function keepRunning(options: RunnerOptions): Promise<JobRunner> {
  let life: Life | undefined = await startLife(options)
  const ending = new Set<Promise<void>>()
  const stopping = new AbortController()
  const keep = async () => {
    while (life) {
      const { givenUp, ended }: Life = life
      await givenUp
      life = undefined
      ending.add(ended)
      void ended.then(() => ending.delete(ended))
      if (stopping.signal.aborted) return
      options.log.warn('the workers are started again')
      // What those who gave up still do they end beside the new ones: a job that waits for somebody holds up no other.
      life = await startAgain(options, stopping.signal)
      if (stopping.signal.aborted) await life?.stop()
    }
  }
  const kept = keep()
  return {
    isRunning: () => life !== undefined && !stopping.signal.aborted,
    lockedBy: () => life?.lockedBy,
    startAnew: () => void life?.stop(),
    async stop() {
      stopping.abort()
      await life?.stop()
      await kept
      await Promise.all(ending)
    },
  }
}

/** From a start of the workers to their end; neither is ever an error. */
interface Life {
  lockedBy: string
  /** From then on they take no more jobs. */
  givenUp: Promise<void>
  /** The last of their jobs is done. */
  ended: Promise<void>
  stop(): Promise<void>
}

async function startLife({ pool, log, taskList, concurrency, crontab }: RunnerOptions): Promise<Life> {
  let lockedBy = ''
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => {
    lockedBy = workerPool.id
  })
  const givenUp = new Promise<void>((resolve) => events.once('pool:gracefulShutdown', () => resolve()))
  const idle = lastOf(events)
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
  let stopped: Promise<void> | undefined
  const stop = () =>
    (stopped ??= runner
      .stop()
      .catch((error: unknown) => log.warn({ err: error }, 'the workers could not be stopped in order')))
  try {
    const takeBack = await announceWorkers(pool, [lockedBy], log)
    // A pool that gives up miscounts what it has still to write down, and may wait for that for ever.
    const ended = Promise.race([over, idle.then(() => wait(writeOffMs, undefined, { ref: false }))])
      .then(takeBack)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the workers stay announced until their lock is gone'),
      )
    void givenUp.then(stop)
    return { lockedBy, givenUp, ended, stop: () => stop().then(() => ended) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** When the last worker has ended. */
function lastOf(events: WorkerEvents): Promise<void> {
  let count = 0
  events.on('worker:create', () => count++)
  return new Promise((resolve) =>
    events.on('worker:stop', () => {
      if (--count === 0) resolve()
    }),
  )
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
