import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '@chairside/server/testing/free-ports'
import { peakMegabytesOf } from './fleet.ts'
import { benchSecretKey } from './prepare-data.ts'

const productProgram = path.join(import.meta.dirname, '../../server/src/main.ts')
const peerProgram = path.join(import.meta.dirname, 'peer-server.ts')
/** As `npm run serve` sets them. */
const productFlags = ['--max-semi-space-size=8', '--heap-growing-percent=15']
const keepingCompiled = { NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../../.cache/compiled') }
const startTimeoutMs = 60_000

/** A server in a process of its own. */
export interface ServerProcess {
  url: string
  /** The most memory the process ever held, in megabytes. */
  peakMegabytes(): number
  stop(): Promise<void>
  /** Ends it without a goodbye. */
  kill(): Promise<void>
}

async function waitUntilHealthy(healthUrl: string, child: ChildProcess, logFile: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(healthUrl).catch(() => undefined)
    if (answer?.ok) return
    await sleep(50)
  }
  throw new Error(
    `A measured server did not start; it said:\n${fs.readFileSync(logFile, 'utf8').slice(-2000)}`,
  )
}

/** Starts a server in a process of its own and waits until it answers; what it says of a fault is kept in `logFile`. */
export async function startProgram(
  program: readonly string[],
  {
    logFile,
    environment,
    healthPath = '/healthz',
  }: { logFile: string; environment: Record<string, string>; healthPath?: string },
): Promise<ServerProcess> {
  const port = environment['PORT'] ?? String((await freePorts(1))[0])
  const url = `http://127.0.0.1:${port}`
  const log = fs.openSync(logFile, 'w')
  const child = spawn(process.execPath, program, {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', ...environment, PORT: port },
    // Each program logs as it always does; what it logs goes nowhere, unless it fails.
    stdio: ['ignore', 'ignore', log],
  })
  fs.closeSync(log)
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  try {
    await waitUntilHealthy(`${url}${healthPath}`, child, logFile)
  } catch (error) {
    await stop()
    throw error
  }
  const kill = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return { url, peakMegabytes: () => peakMegabytesOf(child.pid), stop, kill }
}

/**
 * The product as `npm run serve` starts it, with all its roles; only the limit of calls per minute is lifted. A server
 * that is to come back at the same place is given its PORT.
 */
export function startProduct(
  databaseUrl: string,
  dataDirectory: string,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  return startProgram([...productFlags, productProgram], {
    logFile: path.join(dataDirectory, 'product.log'),
    environment: {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: benchSecretKey,
      PUBLIC_URL: 'http://127.0.0.1',
      MQTT_PORT: '0',
      MQTT_HOST: '127.0.0.1',
      DATA_DIR: dataDirectory,
      CALLS_PER_MINUTE: '1000000000',
      ...keepingCompiled,
      ...settings,
    },
  })
}

/** The server that is measured against: the limit and the plain way. */
export function startPeer(databaseUrl: string, dataDirectory: string): Promise<ServerProcess> {
  return startProgram([peerProgram], {
    logFile: path.join(dataDirectory, 'peer.log'),
    environment: { DATABASE_URL: databaseUrl },
  })
}

/** Stands in for the broker, without a database and with or without the broker itself. */
export type BareServer = 'bare-broker' | 'bare-tcp'

export function startBare(kind: BareServer, mqttPort: number, dataDirectory: string): Promise<ServerProcess> {
  const program = path.join(import.meta.dirname, `${kind}.ts`)
  return startProgram([...productFlags, program], {
    logFile: path.join(dataDirectory, `${kind}.log`),
    environment: { MQTT_PORT: String(mqttPort) },
  })
}
