/*
 * The device protocol as a board's maker would write it down from docs/device-protocol.md. On purpose it is not taken
 * from the server's own description: a mistake in either shows.
 */

export const heartbeatSeconds = 60

export const topicOf = (sid: string, channel: 'birth' | 'status' | 'ack' | 'event' | 'log' | 'command') =>
  `v1/devices/${sid}/${channel}`

export interface BoardState {
  bootId: string
  signal: number
  network: 'wifi' | 'gprs'
  running: { commandId: string; remainingSeconds: number } | null
  ended: { commandId: string; deliveredSeconds: number } | null
  trouble: string
}

export type EndReason = 'time' | 'stopped' | 'trouble' | 'power'

export type BoardEvent =
  | { event: 'started'; commandId: string }
  | { event: 'ended'; commandId: string; deliveredSeconds: number; reason: EndReason }
  | { event: 'trouble'; code: string }

export type Control =
  | { mode: 1 }
  | { mode: 2; cycleMs: number; dutyCycleMs: number; count: number; minutesPerPulse: number }
  | { mode: 3; payload: string }

interface CommandBase {
  v: 1
  id: string
  /** Unix seconds. */
  at: number
  ttlSeconds: number
}

export type Command = CommandBase &
  (
    | { kind: 'start'; durationSeconds: number; control: Control; lightTherapy?: true }
    | { kind: 'stop'; commandId: string }
    | { kind: 'wifi'; ssid: string; password: string }
    | { kind: 'identify' }
    | { kind: 'time' }
    | { kind: 'unknown' }
  )

const kinds = ['start', 'stop', 'wifi', 'identify', 'time']

/** @returns undefined for what is no command at all; kind `unknown` for one that this firmware does not know */
export function readCommand(payload: Buffer): Command | undefined {
  try {
    const command = JSON.parse(payload.toString()) as Command
    const hasBase =
      command.v === 1 &&
      typeof command.id === 'string' &&
      Number.isInteger(command.at) &&
      command.ttlSeconds > 0
    if (!hasBase) return undefined
    return kinds.includes(command.kind) ? command : { ...command, kind: 'unknown' }
  } catch {
    return undefined
  }
}
