import os from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { alertCrontab, createAlertJobs } from '../devices/alerts/look-for-alerts.ts'
import { createPictureJobs, pictureCrontab } from '../catalogue/remove-unused-pictures.ts'
import { deviceShelfJobs, deviceShelvesCrontab } from '../devices/device-counters.ts'
import { createCommandJobs } from '../devices/device-commands.ts'
import { createDeviceCredentials } from '../devices/device-credentials.ts'
import { startDeviceGateway, type DeviceGateway } from '../devices/device-gateway.ts'
import { abandonedCommandsCrontab, createAbandonedCommandJobs } from '../devices/give-up-commands.ts'
import { silentRunJobs, silentRunsCrontab } from '../devices/silent-runs.ts'
import { createLiveDevices } from '../devices/live-devices.ts'
import { registerGatewayMetrics } from '../devices/gateway/gateway-metrics.ts'
import { instanceNameOf } from '../devices/gateway/instance-name.ts'
import { identityCrontab, identityJobs } from '../identity/house-keeping.ts'
import { createSessionGate } from '../identity/session-gate.ts'
import { askForInitials, organisationJobs } from '../organisations/name-initials.ts'
import { createNotificationJobs, notificationCrontab } from '../notifications/deliver.ts'
import type { ReceiverServices } from '../notifications/receiver-services.ts'
import { createSenders } from '../notifications/senders/create-senders.ts'
import { openDatabase, sql, type DatabasePool } from '../kit/database.ts'
import { startJobs, type JobHandler, type RunningJobs } from '../kit/jobs.ts'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import { watchStore } from '../kit/object-store/watch-store.ts'
import type { Dependency } from '../kit/health.ts'
import { createMetrics } from '../kit/metrics.ts'
import { migrate } from '../kit/migrate.ts'
import { createSecretBox, type SecretBox } from '../kit/secrets.ts'
import { createStopsInOrder } from '../kit/stop-in-order.ts'
import { counterCrontab, startFolding } from '../orders/fold-counters.ts'
import { orderJobs } from '../orders/order-calls.ts'
import { paymentOutcomes } from '../orders/settle-payment.ts'
import { createPayChannels } from '../payments/pay-channels.ts'
import { mountPaymentNotices } from '../payments/payment-notices.ts'
import { createPaymentJobs, paymentCrontab } from '../payments/payment-jobs.ts'
import type { PaymentServices } from '../payments/payment-services.ts'
import { createCalls } from './calls.ts'
import { startHealthServer, type HealthParts } from './health-server.ts'
import { mountPictures, openPictureStore } from './picture-files.ts'
import { assertOwnDatabase, housekeepingCrontab, partitionJobs, prepareDatabase } from './prepare-database.ts'
import { mountWechatReturn } from './wechat-return.ts'
import { createWebServer } from './web-server.ts'

export interface RunningServer {
  database: DatabasePool
  /** Address of the web server; empty when this process does not serve the web. */
  url: string
  /** Where its health and metrics are asked for; empty when that is nowhere. */
  healthUrl: string
  /** Address of the broker for a board on this machine; empty without a gateway. */
  mqttUrl: string
  /** @returns whether everything stopped as it should */
  stop(): Promise<boolean>
}

/** What is outside this process and its database. */
interface OutsideServices {
  payments: PaymentServices
  pictures: ObjectStore
  receivers: ReceiverServices
}

/** Starts what this process's roles ask for, in the order in which things depend on each other. */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  const database = openDatabase(config.databaseUrl, { maxConnections: config.databaseConnections })
  const secrets = createSecretBox(config.secretKey)
  await assertOwnDatabase(database.db, secrets.fingerprint)
  await migrate(config.databaseUrl)
  await prepareDatabase(database.db, { timeZone: config.timeZone, keyFingerprint: secrets.fingerprint })

  const stops = createStopsInOrder(log)
  stops.add('database', () => database.close())
  try {
    const payments: PaymentServices = {
      db: database.db,
      channels: createPayChannels(secrets),
      outcomes: paymentOutcomes,
      publicUrl: config.publicUrl,
      log: log.child({ part: 'payments' }),
    }
    const pictures = openPictureStore(config)
    const receivers = { senders: createSenders(config), secrets, publicUrl: config.publicUrl }
    const outside = { payments, pictures, receivers }
    const gateway = config.roles.includes('gateway')
      ? await startGateway(config, database, secrets, log)
      : undefined
    if (gateway) stops.add('gateway', () => gateway.stop())
    const kept = watchStore(pictures, log.child({ part: 'pictures' }))
    const metrics = createMetrics()
    const dependencies: Dependency[] = [
      { name: 'database', check: async () => void (await sql`select 1`.execute(database.db)) },
      // Chairs are sold and run without pictures.
      { name: 'pictures', check: kept.assertThere, isSpared: true },
    ]
    if (gateway) {
      registerGatewayMetrics(metrics, gateway.gateway)
      dependencies.push({
        name: 'broker',
        check: () => assertThat(gateway.gateway.isReady(), 'the broker is away'),
      })
    }
    if (config.roles.includes('worker') || gateway) {
      const runner = await startWorkers(config, database, secrets, outside, gateway, log)
      dependencies.push({ name: 'jobs', check: () => assertThat(runner.isRunning(), 'no jobs are taken') })
      const folding = startFolding(database.db, (error) =>
        log.error({ err: error }, 'rollups could not be folded'),
      )
      stops.add('jobs', () => runner.stop())
      stops.add('folding', () => folding.stop())
    }
    const web = config.roles.includes('web')
      ? await startWeb(config, database, secrets, outside, { metrics, dependencies }, log)
      : undefined
    if (web) stops.add('web', () => web.close())
    const { host, healthPort } = config
    const health =
      healthPort === undefined
        ? undefined
        : await startHealthServer({ metrics, dependencies }, { host, port: healthPort })
    if (health) stops.add('health', () => health.close())
    return {
      database,
      url: addressOf(web),
      healthUrl: addressOf(health ?? web),
      mqttUrl: gateway?.broker?.url ?? config.mqttUrl,
      stop: stops.stopAll,
    }
  } catch (error) {
    await stops.stopAll()
    throw error
  }
}

function addressOf(app: FastifyInstance | undefined): string {
  const address = app?.server.address()
  if (!address || typeof address === 'string') return ''
  const isAny = address.address === '0.0.0.0' || address.address === '::'
  return `http://${isAny ? '127.0.0.1' : address.address}:${address.port}`
}

function startGateway(
  config: Config,
  database: DatabasePool,
  secrets: SecretBox,
  log: Logger,
): Promise<DeviceGateway> {
  return startDeviceGateway({
    db: database.db,
    pool: database.pool,
    credentials: createDeviceCredentials(secrets),
    mqttUrl: config.mqttUrl,
    mqttHost: config.mqttHost,
    mqttPort: config.mqttPort,
    instanceName: instanceNameOf(os.hostname(), config.port),
    log: log.child({ part: 'gateway' }),
  })
}

/** A process without the worker role, but with boards connected, still delivers the commands for them. */
async function startWorkers(
  config: Config,
  database: DatabasePool,
  secrets: SecretBox,
  { payments, pictures, receivers }: OutsideServices,
  gateway: DeviceGateway | undefined,
  log: Logger,
): Promise<RunningJobs> {
  const isWorker = config.roles.includes('worker')
  const handlers: JobHandler[] = [
    ...(gateway ? createCommandJobs(gateway.gateway, config.startAckSeconds, secrets) : []),
    ...(isWorker
      ? [
          ...identityJobs,
          ...organisationJobs,
          ...silentRunJobs,
          ...createAbandonedCommandJobs(config.startAckSeconds),
          ...deviceShelfJobs,
          ...orderJobs,
          ...partitionJobs,
          ...createPaymentJobs(payments),
          ...createAlertJobs({
            offlineMinutes: config.alertOfflineMinutes,
            weakSignalMinutes: config.alertWeakSignalMinutes,
            settleMinutes: config.alertSettleMinutes,
          }),
          ...createPictureJobs(pictures),
          ...createNotificationJobs(receivers),
        ]
      : []),
  ]
  const crontab = isWorker
    ? [
        identityCrontab,
        silentRunsCrontab,
        abandonedCommandsCrontab,
        deviceShelvesCrontab,
        counterCrontab,
        paymentCrontab,
        housekeepingCrontab,
        alertCrontab,
        pictureCrontab,
        notificationCrontab,
      ].join('\n')
    : ''
  const running = await startJobs({
    pool: database.pool,
    db: database.db,
    log: log.child({ part: 'jobs' }),
    handlers,
    crontab,
  })
  // Of names that came some other way than through a call.
  if (isWorker) await askForInitials(database.db)
  return running
}

async function startWeb(
  config: Config,
  database: DatabasePool,
  secrets: SecretBox,
  { payments, pictures, receivers }: OutsideServices,
  health: HealthParts,
  log: Logger,
): Promise<FastifyInstance> {
  const gate = createSessionGate(database.db, config.sessionIdleSeconds)
  const { timeZone, paymentWindowSeconds } = config
  const live = createLiveDevices(database.db, {
    onError: (error) => log.error({ err: error }, 'devices that are looked at could not be read'),
  })
  const app = await createWebServer({
    config,
    database,
    log,
    gate,
    calls: createCalls({
      gate,
      secrets,
      payments,
      pictures,
      receivers,
      live,
      timeZone,
      paymentWindowSeconds,
    }),
    health,
    mountNotices: (notices) => mountPaymentNotices(notices, payments),
  })
  mountPictures(app, pictures)
  mountWechatReturn(app, database.db, payments.channels)
  await app.listen({ host: config.host, port: config.port })
  return app
}

async function assertThat(holds: boolean, otherwise: string): Promise<void> {
  if (!holds) throw new Error(otherwise)
}
