import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { makeDataFolder } from '@chairside/server/testing/temporary-data'

/** A demo of its own, as `npm start` would start it, but smaller. */
export interface DemoServer {
  url: string
  dataDirectory: string
  stop(): Promise<void>
}

const repository = path.join(import.meta.dirname, '../..')
const startTimeoutMs = 90_000
const stopTimeoutMs = 120_000

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Three ports in a row: web, played WeChat, broker. */
async function freePorts(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 30_000)
    const free = await Promise.all([port, port + 1, port + 2].map(isFree))
    if (free.every(Boolean)) return port
  }
}

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

/** How much there is in it. */
export interface DemoSize {
  orders: number
  devices: number
}

const smallDemo: DemoSize = { orders: 3000, devices: 250 }

export async function startDemoServer(size = smallDemo): Promise<DemoServer> {
  const port = await freePorts()
  const data = makeDataFolder()
  let output = ''
  const child = spawn(process.execPath, [path.join(repository, 'server/src/start-demo.ts')], {
    env: {
      ...process.env,
      DATA_DIR: data.folder,
      PORT: String(port),
      DEMO_ORDERS: String(size.orders),
      DEMO_DEVICES: String(size.devices),
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
