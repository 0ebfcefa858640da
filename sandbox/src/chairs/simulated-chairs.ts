import { Chair, type ChairIdentity, type ChairView } from './chair.ts'
import type { ChairFaults } from './faults.ts'
import { heartbeatSeconds } from './wire.ts'

export interface SimulatedChairsOptions {
  /** `mqtt://host:port`. */
  mqttUrl: string
  chairs: readonly ChairIdentity[]
  /** How many times faster than ours a chair's minutes pass; 1 when absent. */
  timeFactor?: number
  /** Of all chairs, from the start. */
  faults?: Partial<ChairFaults>
  heartbeatSeconds?: number
  /** The first connections are spread over this time. */
  spreadMs?: number
  reconnectPauseMs?: { shortest: number; longest: number }
  protocolVersion?: 4 | 5
}

/** Which chairs a change is for: one, or a part of all, between 0 and 1. */
export type ChairChoice = { sid: string } | { share: number }

export interface ChairCounts {
  /** Connections begun, whatever came of them. */
  attempts: number
  /** Connections made, each reconnect anew. */
  connected: number
  heartbeats: number
  commands: number
  /** Acknowledgements and events, with their copies. */
  reports: number
}

export interface SimulatedChairs {
  /** @throws RangeError when there is no such chair */
  chair(sid: string): ChairView
  views(): ChairView[]
  connectedCount(): number
  counts(): ChairCounts
  /** Changes some faults of some chairs; the share is always the same chairs. */
  setFaults(choice: ChairChoice, changes: Partial<ChairFaults>): void
  /** They lose their connections together, and come back together. */
  stormReconnect(share: number): void
  losePower(sid: string): void
  /** One more chair while the others run. */
  add(identity: ChairIdentity): void
  stop(): Promise<void>
}

/** Simulated chairs that speak to a broker over TCP, as boards would: each with its own connection and password. */
export function startSimulatedChairs(options: SimulatedChairsOptions): SimulatedChairs {
  const { hostname: host, port } = new URL(options.mqttUrl)
  const counts: ChairCounts = { attempts: 0, connected: 0, heartbeats: 0, commands: 0, reports: 0 }
  const surroundings = {
    host,
    port: Number(port || 1883),
    timeFactor: options.timeFactor ?? 1,
    heartbeatSeconds: options.heartbeatSeconds ?? heartbeatSeconds,
    protocolVersion: options.protocolVersion ?? 4,
    reconnectPauseMs: options.reconnectPauseMs ?? { shortest: 1000, longest: 60_000 },
    count: (what: keyof ChairCounts) => void counts[what]++,
  }
  const chairs = new Map<string, Chair>()

  const find = (sid: string) => {
    const chair = chairs.get(sid)
    if (!chair) throw new RangeError(`no simulated chair ${sid}`)
    return chair
  }
  const choose = (choice: ChairChoice) =>
    'sid' in choice
      ? [find(choice.sid)]
      : [...chairs.values()].slice(0, Math.ceil(chairs.size * choice.share))
  const add = (identity: ChairIdentity, pauseMs: number) => {
    const chair = new Chair(identity, surroundings)
    if (options.faults) chair.setFaults(options.faults)
    chairs.set(identity.sid, chair)
    chair.connectAfter(pauseMs)
  }
  const views = () => [...chairs.values()].map((chair) => chair.view())

  const spreadMs = options.spreadMs ?? Math.min(10_000, options.chairs.length * 2)
  for (const identity of options.chairs) add(identity, Math.random() * spreadMs)

  return {
    chair: (sid) => find(sid).view(),
    views,
    connectedCount: () => views().filter(({ isConnected }) => isConnected).length,
    counts: () => ({ ...counts }),
    setFaults(choice, changes) {
      for (const chair of choose(choice)) chair.setFaults(changes)
    },
    stormReconnect(share) {
      for (const chair of choose({ share })) chair.dropLine(0)
    },
    losePower: (sid) => find(sid).losePower(),
    add: (identity) => add(identity, 0),
    async stop() {
      for (const chair of chairs.values()) chair.remove()
      chairs.clear()
      // the goodbyes are on their way; nothing of ours keeps the process alive
      await new Promise((resolve) => setTimeout(resolve, 50))
    },
  }
}
