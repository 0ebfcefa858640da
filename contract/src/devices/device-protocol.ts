import { z } from 'zod'
import { deviceIdPattern } from './devices.ts'

/*
 * What boards and the gateway say to each other over MQTT. `docs/device-protocol.md` tells it to a board maker; both
 * change together. Unknown fields are ignored, so that either side may be the newer one.
 */

/** Version in every topic and payload. */
export const deviceProtocolVersion = 1

/** Seconds between two heartbeats of a board. */
export const heartbeatSeconds = 60

/** A board that was silent this long is offline: two and a half heartbeats. */
export const offlineAfterSeconds = 150

/** Largest payload of a board; the gateway drops what is larger. */
export const maxReportBytes = 1024

/** Largest payload the gateway sends to a board. */
export const maxCommandBytes = 2048

/** What a board publishes on, in `v1/devices/{sid}/{channel}`. */
export const reportChannels = ['birth', 'status', 'ack', 'event', 'log'] as const
export type ReportChannel = (typeof reportChannels)[number]

/** The topic a board speaks on (`birth` and so on) or listens to (`command`). */
export function deviceTopic(sid: string, channel: ReportChannel | 'command'): string {
  return `v${deviceProtocolVersion}/devices/${sid}/${channel}`
}

const reportTopic = new RegExp(
  `^v${deviceProtocolVersion}/devices/([^/]{1,20})/(${reportChannels.join('|')})$`,
)

/** The board and the channel of a topic, undefined for every other topic. */
export function parseReportTopic(topic: string): { sid: string; channel: ReportChannel } | undefined {
  const [, sid, channel] = reportTopic.exec(topic) ?? []
  if (!sid || !channel || !deviceIdPattern.test(sid)) return undefined
  return { sid, channel: channel as ReportChannel }
}

const version = z.literal(deviceProtocolVersion)
const commandId = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/)
const bootId = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/)
const durationSeconds = z.int().min(0).max(86_400)
const troubleCode = z.string().max(32)

/** How a board is connected; decides between the online states 1 and 4 of spec 2 §4. */
export const networks = ['wifi', 'gprs'] as const

/**
 * How a board is doing. Birth and heartbeats carry all of it, so that whatever message was lost before, the next one
 * puts it right: `ended` stays until the next start.
 */
const boardState = {
  bootId,
  signal: z.int().min(0).max(5),
  network: z.enum(networks),
  running: z.object({ commandId, remainingSeconds: durationSeconds }).nullable().default(null),
  ended: z.object({ commandId, deliveredSeconds: durationSeconds }).nullable().default(null),
  /** Empty when nothing is wrong. */
  trouble: troubleCode.default(''),
}

/** Retained; said after each connecting. */
export const BirthReport = z.object({
  v: version,
  online: z.literal(true),
  firmware: z.string().max(64),
  model: z.string().max(64),
  ...boardState,
})
export type BirthReport = z.output<typeof BirthReport>

/** Retained in place of the birth; the broker says it when the board is gone, or the board before it leaves. */
export const OfflineReport = z.object({ v: version, online: z.literal(false), bootId })
export type OfflineReport = z.output<typeof OfflineReport>

/** The heartbeat, also said when something in it changes. */
export const StatusReport = z.object({ v: version, ...boardState })
export type StatusReport = z.output<typeof StatusReport>

/** Why a board refuses; a maker may add reasons of its own. */
export const refusalReasons = [
  'expired',
  'busy',
  'trouble',
  'notRunning',
  'unsupported',
  'badCommand',
] as const

export const AckReport = z.object({
  v: version,
  id: commandId,
  result: z.enum(['accepted', 'refused']),
  /** Empty when accepted; else one of `refusalReasons` or the maker's own. */
  reason: z.string().max(32).default(''),
})
export type AckReport = z.output<typeof AckReport>

/** A board may have no clock: it says how long ago a thing happened, and the gateway knows when. */
const ageSeconds = z.int().min(0).max(604_800).default(0)

export const EventReport = z.discriminatedUnion('event', [
  z.object({ v: version, event: z.literal('started'), commandId, ageSeconds }),
  z.object({
    v: version,
    event: z.literal('ended'),
    commandId,
    deliveredSeconds: durationSeconds,
    reason: z.enum(['time', 'stopped', 'trouble', 'power']).default('time'),
    ageSeconds,
  }),
  /** An empty code: the trouble is over. */
  z.object({ v: version, event: z.literal('trouble'), code: troubleCode, ageSeconds }),
])
export type EventReport = z.output<typeof EventReport>

export const LogReport = z.object({
  v: version,
  level: z.enum(['info', 'warn', 'error']).default('info'),
  text: z.string().max(200),
})
export type LogReport = z.output<typeof LogReport>

/** What the board does to the chair, by the model's control mode (decisions §3). */
const StartControl = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal(1) }),
  z.object({
    mode: z.literal(2),
    cycleMs: z.int().min(10).max(5000),
    dutyCycleMs: z.int().min(10).max(255),
    /** Pulses to give, one for each `minutesPerPulse` begun. */
    count: z.int().min(1).max(1440),
    minutesPerPulse: z.int().min(1).max(255),
  }),
  z.object({ mode: z.literal(3), payload: z.string().max(1024) }),
])
export type StartControl = z.output<typeof StartControl>

const commandBase = {
  v: version,
  id: commandId,
  /** Unix time in seconds at which it was sent. */
  at: z.int(),
  /** The board refuses it as `expired` when this has passed since `at`. */
  ttlSeconds: z.int().min(1).max(3600),
}

export const DeviceCommand = z.discriminatedUnion('kind', [
  z.object({
    ...commandBase,
    kind: z.literal('start'),
    durationSeconds: durationSeconds.min(1),
    control: StartControl,
    /** The light of the chair is on while it runs; absent for a chair without one. */
    lightTherapy: z.literal(true).optional(),
  }),
  /** Ends the run of `commandId`, or whatever runs when that is empty. */
  z.object({ ...commandBase, kind: z.literal('stop'), commandId: z.union([commandId, z.literal('')]) }),
  z.object({
    ...commandBase,
    kind: z.literal('wifi'),
    ssid: z.string().min(1).max(32),
    password: z.string().max(32),
  }),
  /** Asks for a fresh birth. */
  z.object({ ...commandBase, kind: z.literal('identify') }),
  /** The time, for boards without a clock; follows every birth and is not acknowledged. */
  z.object({ ...commandBase, kind: z.literal('time') }),
])
export type DeviceCommand = z.output<typeof DeviceCommand>

/** What a model says about starting a chair (spec 2 §3, "Model"). */
export interface ControlSettings {
  controlMode: 1 | 2 | 3
  pulseCycleMs: number
  pulseDutyCycleMs: number
  pulseDurationMinutes: number
}

/**
 * The control part of a start command.
 * @param passThrough text for the chair itself, used in control mode 3 only
 */
export function startControl(
  settings: ControlSettings,
  durationSeconds: number,
  passThrough: string,
): StartControl {
  switch (settings.controlMode) {
    case 1:
      return { mode: 1 }
    case 2:
      return {
        mode: 2,
        cycleMs: settings.pulseCycleMs,
        dutyCycleMs: settings.pulseDutyCycleMs,
        count: Math.max(1, Math.ceil(durationSeconds / 60 / settings.pulseDurationMinutes)),
        minutesPerPulse: settings.pulseDurationMinutes,
      }
    case 3:
      return { mode: 3, payload: passThrough }
  }
}
