import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../kit/database.ts'
import { followDatabaseClock } from '../kit/database-clock.ts'
import { startEmbeddedBroker, type EmbeddedBroker } from '../kit/embedded-broker.ts'
import { createGatherer } from '../kit/gather.ts'
import type { BoardLogin, DeviceCredentials } from './device-credentials.ts'
import { createDeviceReports } from './device-reports.ts'
import { defaultWatchTimes, watchDevices, type WatchTimes } from './device-watch.ts'
import { disconnectDismissedBoards } from './dismissed-boards.ts'
import { createBrokerLogin } from './gateway/broker-access.ts'
import { connectGateway } from './gateway/connect-gateway.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'

export interface DeviceGatewayOptions {
  db: Database
  /** For a connection on which it is heard what boards have to go. */
  pool: pg.Pool
  credentials: DeviceCredentials
  /** Empty starts the embedded broker. */
  mqttUrl: string
  mqttHost: string
  mqttPort: number
  instanceName: string
  log: Logger
  watchTimes?: WatchTimes
}

export interface DeviceGateway {
  gateway: Gateway
  broker: EmbeddedBroker | undefined
  stop(): Promise<void>
}

/** The embedded broker, which lets go of boards whose devices are removed or have another password. */
async function startBroker({ db, pool, credentials, mqttHost, mqttPort, log }: DeviceGatewayOptions) {
  // Boards come back together when their venue's network does.
  const logins = createGatherer<BoardLogin, boolean>({
    mostItems: 200,
    longestWaitMs: 5,
    run: (boards) => credentials.checkAll(db, boards),
  })
  const running: { broker?: EmbeddedBroker } = {}
  // Before any board can connect.
  const dismissals = await disconnectDismissedBoards({
    pool,
    db,
    disconnect: (sid) => running.broker?.disconnect(sid),
    log,
  })
  const broker = await startEmbeddedBroker({
    host: mqttHost,
    port: mqttPort,
    authenticate: createBrokerLogin({
      gatewayPassword: credentials.gatewayPassword,
      checkBoard: (sid, password) => logins.add({ sid, password }),
    }),
    log,
  }).catch(async (error: unknown) => {
    await dismissals.stop()
    throw error
  })
  running.broker = broker
  return {
    broker,
    async stop() {
      await dismissals.stop()
      await broker.stop()
    },
  }
}

/** Connects the boards to the database: the embedded broker unless there is another, the gateway, and the watch. */
export async function startDeviceGateway(options: DeviceGatewayOptions): Promise<DeviceGateway> {
  const { db, credentials, instanceName, log } = options
  const clock = await followDatabaseClock(db)
  const embedded = options.mqttUrl ? undefined : await startBroker(options)
  const broker = embedded?.broker
  const gateway = createGateway({
    ...createDeviceReports(db, instanceName, log),
    connect: connectGateway(
      broker ?? { url: options.mqttUrl, gatewayPassword: credentials.gatewayPassword },
      { instanceName, log },
    ),
    instanceName,
    now: clock.now,
    log,
  })
  const watch = watchDevices({
    db,
    clock,
    instanceName,
    isConnected: () => gateway.isReady(),
    times: options.watchTimes ?? defaultWatchTimes,
    onError: (error) => log.error({ err: error }, 'boards that fell silent or waver could not be looked for'),
  })
  return {
    gateway,
    broker,
    async stop() {
      await watch.stop()
      await gateway.stop()
      await embedded?.stop()
    },
  }
}
