import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { stopLeftBehind } from './embedded-postgres-claim.ts'
import type { Log } from './limited-log.ts'

export interface KeptRunning {
  log: Log
  /** It ended too often, and stays away. */
  onGivenUp(): void
}

export interface KeptServer {
  stop(signal: NodeJS.Signals): Promise<void>
}

/** A server that ends more often than this in a while would only do it again. */
const mostEnds = 5
const whileMs = 10 * 60_000
const againMs = 500
const stopPatienceMs = 20_000

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Starts the server of a cluster, and again when it ends by itself: killed for memory, or by a crash. */
export async function keepServer(
  cluster: string,
  launch: () => Promise<ChildProcess>,
  kept: KeptRunning | undefined,
): Promise<KeptServer> {
  let server = await launch()
  let isStopping = false
  let starting = Promise.resolve()
  let ends: number[] = []

  async function startAgain(kept: KeptRunning): Promise<void> {
    if (isStopping) return
    const now = Date.now()
    ends = [...ends.filter((at) => now - at < whileMs), now]
    const { exitCode: code, signalCode: signal } = server
    if (ends.length > mostEnds) {
      kept.log.error({ code, signal, ends: ends.length }, 'the embedded PostgreSQL ends again and again')
      kept.onGivenUp()
      return
    }
    kept.log.error({ code, signal }, 'the embedded PostgreSQL ended by itself and is started again')
    await sleep(againMs)
    try {
      await stopLeftBehind(cluster)
      server = await launch()
    } catch (error) {
      kept.log.error({ err: error }, 'the embedded PostgreSQL could not be started again')
      await startAgain(kept)
      return
    }
    kept.log.warn({}, 'the embedded PostgreSQL runs again')
    watch()
  }
  function watch(): void {
    if (!kept) return
    const onEnd = () => {
      if (!isStopping) starting = startAgain(kept)
    }
    if (hasEnded(server)) onEnd()
    else server.once('exit', onEnd)
  }
  watch()

  return {
    async stop(signal) {
      isStopping = true
      await starting
      if (hasEnded(server)) return
      const ended = once(server, 'exit')
      server.kill(signal)
      const impatience = setTimeout(() => server.kill('SIGQUIT'), stopPatienceMs)
      await ended
      clearTimeout(impatience)
    },
  }
}
