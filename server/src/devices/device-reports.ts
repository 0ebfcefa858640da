import { deviceStatuses } from '@chairside/contract'
import type { StatusReport } from '@chairside/contract/devices/device-protocol'
import type { Database } from '../kit/database.ts'
import type { Log } from '../kit/limited-log.ts'
import { createGatherer } from '../kit/gather.ts'
import { createBoardLog } from './board-log.ts'
import { commandsToLearnOf, storeAcknowledgement, storeEnd } from './command-answers.ts'
import { storeFirmware, storeGoodbyes, storeReportedStates, type ReportedState } from './device-states-sql.ts'
import type { ReceivedBirth, ReceivedOffline, ReportHandlers } from './gateway/gateway.ts'

/** The online state of spec 2 §4 that a board's own words amount to. */
function statusOf(report: Pick<StatusReport, 'trouble' | 'network'>): number {
  if (report.trouble !== '') return deviceStatuses.trouble
  return report.network === 'wifi' ? deviceStatuses.wifiOnline : deviceStatuses.gprsOnline
}

function stateOf(sid: string, report: Omit<StatusReport, 'v'>, at: Date): ReportedState {
  return {
    sid,
    status: statusOf(report),
    signal: report.signal,
    bootId: report.bootId,
    runningCommandId: report.running?.commandId ?? '',
    remainingSeconds: report.running?.remainingSeconds ?? 0,
    troubleCode: report.trouble,
    at,
  }
}

interface Told {
  sid: string
  receivedAt: Date
  report: Omit<StatusReport, 'v'>
}

/** Births and goodbyes that are stored together, and how long one waits for company. */
const together = { mostItems: 200, longestWaitMs: 10 }

/** Writes down what boards report; every handler may be called again for the same report. */
export function createDeviceReports(db: Database, instanceName: string, log: Log): ReportHandlers {
  const logOfBoards = createBoardLog(log)
  /** Heartbeats repeat what runs and what ended, so that a lost acknowledgement or end is still learnt. */
  const learn = async (told: readonly Told[]) => {
    const runningIds = told.flatMap(({ report }) => report.running?.commandId ?? [])
    const endedIds = told.flatMap(({ report }) => report.ended?.commandId ?? [])
    const news = await commandsToLearnOf(db, runningIds, endedIds)
    if (news.size === 0) return
    for (const { sid, receivedAt: at, report } of told) {
      const { running, ended } = report
      const started = running && news.get(running.commandId)
      if (started) {
        const runSeconds = Math.max(0, started.durationSeconds - running.remainingSeconds)
        const startedAt = new Date(at.getTime() - runSeconds * 1000)
        const { commandId } = running
        await storeAcknowledgement(db, { sid, commandId, accepted: true, reason: '', at: startedAt })
      }
      if (ended && news.has(ended.commandId)) await storeEnd(db, { sid, ...ended, at })
    }
  }
  // When a venue or we were away, boards come and go by thousands.
  const births = createGatherer<ReceivedBirth, void>({
    ...together,
    async run(born) {
      await storeReportedStates(
        db,
        instanceName,
        born.map(({ sid, birth, receivedAt }) => stateOf(sid, birth, receivedAt)),
      )
      await storeFirmware(
        db,
        born.map(({ sid, birth: { firmware } }) => ({ sid, firmware })),
      )
      await learn(born.map(({ sid, birth, receivedAt }) => ({ sid, receivedAt, report: birth })))
      return born.map(() => undefined)
    },
  })
  const goodbyes = createGatherer<ReceivedOffline, void>({
    ...together,
    async run(gone) {
      await storeGoodbyes(
        db,
        instanceName,
        gone.map(({ sid, bootId, receivedAt: at }) => ({ sid, bootId, at })),
      )
      return gone.map(() => undefined)
    },
  })
  return {
    async onBirth(received) {
      // What the broker kept from earlier says nothing of now.
      if (!received.isRetained) await births.add(received)
    },
    async onStatusBatch(batch) {
      await storeReportedStates(
        db,
        instanceName,
        batch.map(({ sid, status, receivedAt }) => stateOf(sid, status, receivedAt)),
      )
      await learn(batch.map(({ sid, status, receivedAt }) => ({ sid, receivedAt, report: status })))
    },
    async onAck({ sid, ack, receivedAt }) {
      await storeAcknowledgement(db, {
        sid,
        commandId: ack.id,
        accepted: ack.result === 'accepted',
        reason: ack.reason,
        at: receivedAt,
      })
    },
    async onEvent({ sid, event, happenedAt }) {
      if (event.event === 'started') {
        await storeAcknowledgement(db, {
          sid,
          commandId: event.commandId,
          accepted: true,
          reason: '',
          at: happenedAt,
        })
      }
      if (event.event === 'ended') {
        await storeEnd(db, {
          sid,
          commandId: event.commandId,
          deliveredSeconds: event.deliveredSeconds,
          at: happenedAt,
        })
      }
    },
    // Also what the broker kept: a board that has come back since would have said its birth in the same place.
    onOffline: (received) => goodbyes.add(received),
    async onLog(received) {
      logOfBoards(received)
    },
  }
}
