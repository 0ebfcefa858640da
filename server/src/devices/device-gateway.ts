import type { Logger } from 'pino'
import type { Database } from '../kit/database.ts'
import { startEmbeddedBroker, type EmbeddedBroker } from '../kit/embedded-broker.ts'
import { createGatherer } from '../kit/gather.ts'
import type { BoardLogin, DeviceCredentials } from './device-credentials.ts'
import { createDeviceReports } from './device-reports.ts'
import { defaultWatchTimes, watchDevices, type WatchTimes } from './device-watch.ts'
import { createBrokerLogin } from './gateway/broker-access.ts'
import { connectGateway } from './gateway/connect-gateway.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'

export interface DeviceGatewayOptions {
  db: Database
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

/** Connects the boards to the database: the embedded broker unless there is another, the gateway, and the watch. */
export async function startDeviceGateway(options: DeviceGatewayOptions): Promise<DeviceGateway> {
  const { db, credentials, instanceName, log } = options
  // Boards come back together when their venue's network does.
  const logins = createGatherer<BoardLogin, boolean>({
    mostItems: 200,
    longestWaitMs: 5,
    run: (boards) => credentials.checkAll(db, boards),
  })
  const broker = options.mqttUrl
    ? undefined
    : await startEmbeddedBroker({
        host: options.mqttHost,
        port: options.mqttPort,
        authenticate: createBrokerLogin({
          gatewayPassword: credentials.gatewayPassword,
          checkBoard: (sid, password) => logins.add({ sid, password }),
        }),
        log,
      })
  const gateway = createGateway({
    ...createDeviceReports(db, instanceName),
    connect: connectGateway(
      broker ?? { url: options.mqttUrl, gatewayPassword: credentials.gatewayPassword },
      { instanceName, log },
    ),
    instanceName,
    log,
  })
  const watch = watchDevices({
    db,
    instanceName,
    isConnected: () => gateway.isReady(),
    times: options.watchTimes ?? defaultWatchTimes,
    onError: (error) => log.error({ err: error }, 'silent devices could not be looked for'),
  })
  return {
    gateway,
    broker,
    async stop() {
      await watch.stop()
      await gateway.stop()
      await broker?.stop()
    },
  }
}
