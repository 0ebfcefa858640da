import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import type { Beaten, BoardLogin, FleetAnswer, FleetCounts, FleetOrder } from './fleet-messages.ts'

/** Boards or chairs in a process of their own. */
export interface Fleet {
  /** Boards answer when all have tried; chairs go on trying, and are to be counted. */
  connect(mqttUrl: string, boards: readonly BoardLogin[]): Promise<number>
  count(): Promise<FleetCounts>
  dropLines(): void
  beat(bootId: string, perBoard: number, atOnce: number): Promise<Beaten>
  /** The most memory the process ever held. */
  peakMegabytes(): number
  stop(): Promise<void>
}

/** The most memory a process ever held, in megabytes. */
export function peakMegabytesOf(processId: number | undefined): number {
  const status = fs.readFileSync(`/proc/${processId}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
}

/** Starts a process with simulated chairs, or with boards that only beat. */
export function startFleet(kind: 'chairs' | 'boards'): Fleet {
  const program = path.join(import.meta.dirname, kind === 'chairs' ? 'chair-fleet.ts' : 'board-fleet.ts')
  const child = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exit = once(child, 'exit')
  const order = (message: FleetOrder) => void child.send(message)
  const ask = async <Key extends string, Value>(message: FleetOrder, key: Key): Promise<Value> => {
    order(message)
    const failed = exit.then(() => {
      throw new Error('a process with simulated boards ended')
    })
    failed.catch(() => undefined)
    const [answer] = (await Promise.race([once(child, 'message'), failed])) as [FleetAnswer]
    return (answer as Record<Key, Value>)[key]
  }
  return {
    async connect(mqttUrl, boards) {
      const message: FleetOrder = { order: 'connect', mqttUrl, boards: [...boards] }
      if (kind === 'boards') return ask<'connectedInMs', number>(message, 'connectedInMs')
      order(message)
      return 0
    },
    count: () => ask<'counts', FleetCounts>({ order: 'count' }, 'counts'),
    dropLines: () => order({ order: 'dropLines' }),
    beat: (bootId, perBoard, atOnce) =>
      ask<'beaten', Beaten>({ order: 'beat', bootId, perBoard, atOnce }, 'beaten'),
    peakMegabytes: () => peakMegabytesOf(child.pid),
    async stop() {
      if (child.connected) child.disconnect()
      await exit
    },
  }
}
