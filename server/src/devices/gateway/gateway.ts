import {
  deviceProtocolVersion,
  deviceTopic,
  maxCommandBytes,
  reportChannels,
  type AckReport,
  type BirthReport,
  type DeviceCommand,
  type EventReport,
  type LogReport,
  type StatusReport,
} from '@chairside/contract/devices/device-protocol'

import { createLimitedLog, type Log } from '../../kit/limited-log.ts'
import type { MqttConnection, MqttMessage } from '../../kit/mqtt.ts'
import { DeviceQueue } from './device-queue.ts'
import { dropReasons, readReport, type DropReason, type Report } from './read-report.ts'
import { StatusBatch } from './status-batch.ts'

interface Received {
  sid: string
  receivedAt: Date
}
export interface ReceivedBirth extends Received {
  birth: BirthReport
  /** The broker kept it from earlier: the board said it at some time before, and may be silent since. */
  isRetained: boolean
}
export interface ReceivedOffline extends Received {
  /** Of the power-up that ended; one that is not the latest known says nothing. */
  bootId: string
  isRetained: boolean
}
export interface ReceivedStatus extends Received {
  status: StatusReport
}
export interface ReceivedAck extends Received {
  ack: AckReport
}
export interface ReceivedEvent extends Received {
  event: EventReport
  /** When it happened, by the board's own count of the seconds since. */
  happenedAt: Date
}
export interface ReceivedLog extends Received {
  log: LogReport
}

/**
 * What becomes of the boards' reports. Each may come more than once, and is acknowledged to the broker only when its
 * handler has finished; a handler that throws is called again, with pauses. Reports of one board come in the order it
 * said them, of a heartbeat only the newest.
 */
export interface ReportHandlers {
  /** Births and goodbyes of any number of boards at the same time, so that they can be stored together. */
  onBirth(received: ReceivedBirth): Promise<void>
  /** Heartbeats of different boards, each at most once. */
  onStatusBatch(received: ReceivedStatus[]): Promise<void>
  onAck(received: ReceivedAck): Promise<void>
  onEvent(received: ReceivedEvent): Promise<void>
  /** The board left or its connection broke. A board that is only silent is found by its last heartbeat. */
  onOffline(received: ReceivedOffline): Promise<void>
  onLog?(received: ReceivedLog): Promise<void>
}

export interface GatewayOptions extends ReportHandlers {
  /** Connects to the broker, to hear what is said on these topics. */
  connect(filters: readonly string[], onMessage: (message: MqttMessage) => void): MqttConnection
  /** Name of this process; the same after a restart, and no other's. The `hostName` of the status history. */
  instanceName: string
  /** What time it is for all gateways: of what two of them heard of one board, the later has to be known. */
  now(): Date
  log: Log
  batch?: { flushMs: number; flushRows: number }
}

export interface GatewayCounts {
  received: Record<Report['kind'], number>
  dropped: Record<DropReason, number>
  sent: number
}

export interface Gateway {
  instanceName: string
  /** Resolves when boards are first heard. */
  whenReady(): Promise<void>
  isReady(): boolean
  /**
   * Hands a command to the broker; only its acknowledgement says whether the board has it.
   * @throws BrokerAwayError when the broker does not take it, RangeError when it is too large
   */
  sendCommand(sid: string, command: DeviceCommand): Promise<void>
  counts(): GatewayCounts
  /** Finishes what was received, as far as that is quick, and leaves. */
  stop(): Promise<void>
}

const handlersAtOnce = 16
const giveUpMs = 600_000
const stopPatienceMs = 5000
const timeTtlSeconds = 60
const identifyTtlSeconds = 10

/** Connects the boards' reports to their handlers, and commands to the boards. */
export function createGateway(options: GatewayOptions): Gateway {
  const { log, instanceName } = options
  const limitedLog = createLimitedLog(log)
  const counts: GatewayCounts = {
    received: { birth: 0, offline: 0, status: 0, ack: 0, event: 0, log: 0 },
    dropped: Object.fromEntries(dropReasons.map((reason) => [reason, 0])) as Record<DropReason, number>,
    sent: 0,
  }
  const batch = new StatusBatch<ReceivedStatus>({
    flushMs: 200,
    flushRows: 500,
    ...options.batch,
    store: (rows) => options.onStatusBatch(rows),
    onFailure: (error) => limitedLog.warn('gateway.status', { err: error }, 'Heartbeats could not be stored'),
  })
  const queue = new DeviceQueue({
    concurrency: handlersAtOnce,
    giveUpMs,
    onFailure(error, sid, isGivenUp) {
      if (isGivenUp) log.error({ err: error, sid }, 'A report of a board was given up')
      else limitedLog.warn('gateway.report', { err: error, sid }, 'A report of a board could not be stored')
    },
  })
  const connection = options.connect(
    reportChannels.map((channel) => deviceTopic('+', channel)),
    receive,
  )

  function receive(message: MqttMessage): void {
    const report = readReport(message.topic, message.payload)
    if (report === undefined) return message.acknowledge()
    if ('dropped' in report) {
      counts.dropped[report.dropped]++
      const { dropped: reason, detail } = report
      limitedLog.warn(
        `gateway.${reason}`,
        { topic: message.topic.slice(0, 100), detail },
        'Dropped a message',
      )
      return message.acknowledge()
    }
    counts.received[report.kind]++
    return take(report, message)
  }

  function take(report: Report, message: MqttMessage): void {
    const { sid } = report
    const receivedAt = options.now()
    if (report.kind === 'status') {
      const add = () => batch.add({ sid, receivedAt, status: report.status }, message.acknowledge)
      // never ahead of what the board said before
      if (queue.hasTasks(sid)) queue.add(sid, async () => add())
      else add()
      return
    }
    const isGathered = report.kind === 'birth' || report.kind === 'offline'
    const store = async () => {
      await batch.settled(sid)
      await handle(report, { sid, receivedAt }, message.isRetained)
      message.acknowledge()
      if (report.kind === 'offline' && !message.isRetained && connection.isSharing()) askForBirth(sid)
    }
    queue.add(sid, store, isGathered)
    if (report.kind === 'birth' && !message.isRetained) tellTime(sid)
  }

  async function handle(
    report: Exclude<Report, { kind: 'status' }>,
    received: Received,
    isRetained: boolean,
  ): Promise<void> {
    switch (report.kind) {
      case 'birth':
        return options.onBirth({ ...received, birth: report.birth, isRetained })
      case 'offline':
        return options.onOffline({ ...received, bootId: report.offline.bootId, isRetained })
      case 'ack':
        return options.onAck({ ...received, ack: report.ack })
      case 'event': {
        const happenedAt = new Date(received.receivedAt.getTime() - report.event.ageSeconds * 1000)
        return options.onEvent({ ...received, event: report.event, happenedAt })
      }
      case 'log':
        return options.onLog?.({ ...received, log: report.log })
    }
  }

  /**
   * A board that comes back before its old line is known to be broken says its birth to one of us while another hears the
   * goodbye of the old line, maybe later; where one hears all, they come in order. Whoever is there says it again; else nobody listens.
   */
  function askForBirth(sid: string): void {
    const nowMs = options.now().getTime()
    const at = Math.floor(nowMs / 1000)
    const base = { v: deviceProtocolVersion, id: `i${nowMs}`, at, ttlSeconds: identifyTtlSeconds } as const
    sendCommand(sid, { ...base, kind: 'identify' }).catch(() => undefined)
  }

  function tellTime(sid: string): void {
    const at = Math.floor(options.now().getTime() / 1000)
    const command = {
      v: deviceProtocolVersion,
      id: `t${at}`,
      at,
      ttlSeconds: timeTtlSeconds,
      kind: 'time',
    } as const
    // a board that misses it is told again at its next birth
    sendCommand(sid, command).catch((error: unknown) =>
      limitedLog.warn('gateway.time', { err: error, sid }, 'A board was not told the time'),
    )
  }

  async function sendCommand(sid: string, command: DeviceCommand): Promise<void> {
    const payload = JSON.stringify(command)
    if (Buffer.byteLength(payload) > maxCommandBytes) throw new RangeError('the command is too large')
    await connection.publish(deviceTopic(sid, 'command'), payload, command.ttlSeconds)
    counts.sent++
  }

  return {
    instanceName,
    whenReady: () => connection.whenReady(),
    isReady: () => connection.isReady(),
    sendCommand,
    counts: () => structuredClone(counts),
    async stop() {
      const finished = Promise.all([batch.drain(), queue.drain()])
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopPatienceMs)
      })
      await Promise.race([finished, patience])
      clearTimeout(timer)
      await connection.stop()
    },
  }
}
