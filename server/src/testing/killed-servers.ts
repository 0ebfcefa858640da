import { fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { steps, type Step } from '../kit/steps.ts'

/** A server that is not killed by then has not come to its step; it is ended at whatever it does. */
const patienceMs = 6000

export interface KillCounts {
  /** Kills at each named step. */
  atStep: Map<Step, number>
  /** Kills at some other moment, when a step did not come. */
  elsewhere: number
}

export interface KilledServers {
  counts: KillCounts
  /** Kills in all at named steps. */
  killed(): number
  /** Rejects when one of them ends by itself. */
  failed: Promise<unknown>
  /** Ends when all serve and are not killed any more. */
  recover(): Promise<void>
  stop(): Promise<void>
}

/** Runs a server for each environment, kills them at one step after another, and starts them again each time. */
export function startKilling(
  program: string,
  environments: readonly Record<string, string>[],
): KilledServers {
  const counts: KillCounts = { atStep: new Map(), elsewhere: 0 }
  let turn = 0
  const ending = new AbortController()
  const running = new Set<ReturnType<typeof fork>>()

  const run = (environment: Record<string, string>) => {
    const child = fork(program, [], {
      env: environment,
      execArgv: ['--max-semi-space-size=32'],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    running.add(child)
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
    const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => {
        running.delete(child)
        if (code === null || ending.signal.aborted) resolve(signal)
        else reject(new Error(`a server ended by itself with ${code}: ${said}`))
      })
    })
    const serving = new Promise<void>((resolve) => child.once('message', () => resolve()))
    return { child, ended, serving }
  }

  /** One life after another, each with the next step as its end. */
  const live = async (environment: Record<string, string>) => {
    while (!ending.signal.aborted) {
      const step = steps[turn++ % steps.length] ?? steps[0]
      const count = 1 + Math.floor(Math.random() * 2)
      const { child, ended, serving } = run({
        ...environment,
        END_AT_STEP: step,
        END_AT_COUNT: String(count),
      })
      const patience = serving.then(() => delay(patienceMs, 'patience' as const, { ref: false }))
      if ((await Promise.race([ended, patience])) === 'patience') {
        child.kill('SIGKILL')
        await ended
        counts.elsewhere++
      } else if (!ending.signal.aborted) counts.atStep.set(step, (counts.atStep.get(step) ?? 0) + 1)
    }
  }
  const lives = environments.map((environment) => live(environment))
  const failed = Promise.all(lives)
  // Told to whoever waits for it.
  failed.catch(() => undefined)

  return {
    counts,
    failed,
    killed: () => [...counts.atStep.values()].reduce((sum, one) => sum + one, 0),
    async recover() {
      ending.abort()
      for (const child of running) child.kill('SIGKILL')
      await failed
      await Promise.all(environments.map((environment) => run(environment).serving))
    },
    async stop() {
      ending.abort()
      const ends = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
      for (const child of running) child.kill('SIGKILL')
      await Promise.all(ends)
    },
  }
}
