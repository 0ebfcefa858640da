import type { z } from 'zod'
import {
  AckReport,
  BirthReport,
  EventReport,
  LogReport,
  maxReportBytes,
  OfflineReport,
  parseReportTopic,
  StatusReport,
} from '@chairside/contract/devices/device-protocol'
import { keepablePartOf } from '../../kit/keepable-text.ts'

/** What a board said, read and checked. */
export type Report =
  | { kind: 'birth'; sid: string; birth: BirthReport }
  | { kind: 'offline'; sid: string; offline: OfflineReport }
  | { kind: 'status'; sid: string; status: StatusReport }
  | { kind: 'ack'; sid: string; ack: AckReport }
  | { kind: 'event'; sid: string; event: EventReport }
  | { kind: 'log'; sid: string; log: LogReport }

/** Why a message is dropped. */
export const dropReasons = ['foreignTopic', 'tooLarge', 'notJson', 'wrongShape'] as const
export type DropReason = (typeof dropReasons)[number]

export interface Dropped {
  dropped: DropReason
  /** Which field, for the log. */
  detail: string
}

/** Reads one message; never throws. An empty payload clears a retained message and says nothing. */
export function readReport(topic: string, payload: Buffer): Report | Dropped | undefined {
  const parsed = parseReportTopic(topic)
  if (!parsed) return { dropped: 'foreignTopic', detail: '' }
  if (payload.length === 0) return undefined
  if (payload.length > maxReportBytes) return { dropped: 'tooLarge', detail: `${payload.length} bytes` }
  const json = parseJson(payload)
  if (json === undefined) return { dropped: 'notJson', detail: '' }
  const { sid, channel } = parsed
  switch (channel) {
    case 'birth':
      return isOffline(json)
        ? shaped(OfflineReport, json, (offline) => ({ kind: 'offline', sid, offline }))
        : shaped(BirthReport, json, (birth) => ({ kind: 'birth', sid, birth }))
    case 'status':
      return shaped(StatusReport, json, (status) => ({ kind: 'status', sid, status }))
    case 'ack':
      return shaped(AckReport, json, (ack) => ({ kind: 'ack', sid, ack }))
    case 'event':
      return shaped(EventReport, json, (event) => ({ kind: 'event', sid, event }))
    case 'log':
      return shaped(LogReport, json, (log) => ({ kind: 'log', sid, log }))
  }
}

function shaped<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  report: (value: z.output<Schema>) => Report,
): Report | Dropped {
  const result = schema.safeParse(json)
  if (result.success) return report(result.data)
  const [issue] = result.error.issues
  return { dropped: 'wrongShape', detail: `${issue?.path.join('.')}: ${issue?.message}`.slice(0, 200) }
}

function isOffline(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'online' in json && json.online === false
}

/**
 * Text that a program of a board filled from a buffer of fixed length may end in zero bytes, which the database keeps as
 * little as half a character; refused there, one report would hold up all that are stored with it.
 */
const keepable = (_name: string, value: unknown) =>
  typeof value === 'string' ? keepablePartOf(value) : value

function parseJson(payload: Buffer): unknown {
  try {
    const text = payload.toString()
    // JSON has no other way to write such characters.
    return JSON.parse(text, text.includes('\\u') ? keepable : undefined) as unknown
  } catch {
    return undefined
  }
}
