import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { freePortsInARow } from '@chairside/server/testing/free-ports'
import { makeDataFolder } from '@chairside/server/testing/temporary-data'

/** A demo of its own, as `npm start` would start it, but smaller. */
export interface DemoServer {
  url: string
  dataDirectory: string
  stop(): Promise<void>
}

const repository = path.join(import.meta.dirname, '../..')
const startTimeoutMs = 300_000
const stopTimeoutMs = 120_000

async function untilHealthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const until = Date.now() + startTimeoutMs
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`the demo ended: ${output()}`)
    const healthy = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (healthy && output().includes('Chairside runs')) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`the demo did not start in time: ${output()}`)
}

/** How much there is in it, and goes on. */
export interface DemoSize {
  orders: number
  devices: number
  /** Nothing happens in it by itself. */
  isStill: boolean
}

const smallDemo: DemoSize = { orders: 3000, devices: 250, isStill: true }

export async function startDemoServer(size = smallDemo): Promise<DemoServer> {
  // Web, played WeChat, broker, played messengers.
  const port = await freePortsInARow(4)
  const data = makeDataFolder()
  let output = ''
  const child = spawn(process.execPath, [path.join(repository, 'server/src/start-demo.ts')], {
    env: {
      ...process.env,
      DATA_DIR: data.folder,
      PORT: String(port),
      DEMO_ORDERS: String(size.orders),
      DEMO_DEVICES: String(size.devices),
      // What a test sees changes by what tests do.
      DEMO_STILL: String(size.isStill),
      // Whoever signs in without the form names an address of their own.
      TRUST_PROXY: 'true',
      NODE_OPTIONS: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const keep = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const url = `http://127.0.0.1:${port}`
  const ended = once(child, 'exit')
  const stop = async () => {
    const patience = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    child.kill('SIGTERM')
    const [code] = await ended
    clearTimeout(patience)
    data.remove()
    if (code !== 0) throw new Error(`the demo did not stop as it should: ${output}`)
  }
  try {
    await untilHealthy(url, child, () => output)
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
  return { url, dataDirectory: data.folder, stop }
}
