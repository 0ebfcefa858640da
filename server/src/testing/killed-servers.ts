import { fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { steps, type Step } from '../kit/steps.ts'

/** A server that is not killed by then has come to none of its steps; it is ended at whatever it does. */
const patienceMs = 6000
/** By how many kills a step that comes often may be ahead of the rarest. */
const lead = 6

export interface KilledServers {
  /** Kills in all at named steps. */
  killed(): number
  /** Kills at the named step that had the fewest. */
  fewest(): number
  /** Rejects when one of them ends by itself. */
  failed: Promise<unknown>
  /** Ends when all serve and are not killed any more. */
  recover(): Promise<void>
  stop(): Promise<void>
}

/** Runs a server for each environment, kills each at one of the steps with the fewest kills, and starts it again. */
export function startKilling(
  program: string,
  environments: readonly Record<string, string>[],
): KilledServers {
  const kills = new Map<Step, number>()
  const killsAt = (step: Step) => kills.get(step) ?? 0
  const fewest = () => Math.min(...steps.map(killsAt))
  const ending = new AbortController()
  const running = new Set<ReturnType<typeof fork>>()

  const run = (environment: Record<string, string>) => {
    const child = fork(program, [], {
      env: environment,
      // Whose life is short has no use for a young generation that grows bit by bit.
      execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    running.add(child)
    let step = ''
    let complaint = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (step += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text))
    const ended = new Promise<Step | undefined>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => {
        running.delete(child)
        if (code === null || ending.signal.aborted) resolve(steps.find((one) => one === step))
        else reject(new Error(`a server ended by itself with ${code}: ${complaint}`))
      })
    })
    const serving = new Promise<void>((resolve) => child.once('message', () => resolve()))
    return { child, ended, serving }
  }

  /** One life after another, each with the first of the rarer steps that it comes to as its end. */
  const live = async (environment: Record<string, string>) => {
    while (!ending.signal.aborted) {
      const rarer = steps.filter((step) => killsAt(step) < fewest() + lead)
      const { child, ended, serving } = run({
        ...environment,
        END_AT_STEPS: rarer.join(','),
        END_AT_COUNT: String(1 + Math.floor(Math.random() * 2)),
      })
      const patience = serving.then(() => delay(patienceMs, 'patience' as const, { ref: false }))
      if ((await Promise.race([ended, patience])) === 'patience') child.kill('SIGKILL')
      const step = await ended
      if (ending.signal.aborted) return
      if (step) kills.set(step, killsAt(step) + 1)
    }
  }
  const lives = environments.map((environment) => live(environment))
  const failed = Promise.all(lives)
  // Told to whoever waits for it.
  failed.catch(() => undefined)

  return {
    failed,
    fewest,
    killed: () => [...kills.values()].reduce((sum, one) => sum + one, 0),
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
