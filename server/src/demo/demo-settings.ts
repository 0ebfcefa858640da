import { z } from 'zod'
import { ConfigError, misspeltNames, readConfig, type Config } from '../config.ts'
import { demoAlertTimes } from './misfortunes.ts'

/** What the demo alone can be told, beside the settings of the product. */
const ownSettings = {
  SANDBOX_PORT: {
    about: 'Port of the simulated WeChat.',
    schema: z.coerce.number().int().min(0).max(65_535).optional(),
  },
  DEMO_ORDERS: {
    about: 'How many orders the demo begins with, at most ten million.',
    schema: z.coerce.number().int().min(0).max(10_000_000).default(60_000),
  },
  DEMO_DEVICES: {
    about: 'How many devices the demo has, from 40 to 20000.',
    schema: z.coerce.number().int().min(40).max(20_000).default(1000),
  },
  DEMO_STILL: {
    about:
      'Whether nothing happens in the demo by itself, true or false: no customer comes, no place loses its power.',
    schema: z.enum(['true', 'false']).default('false'),
  },
}

/** The web server's port; those of the simulated WeChat, of the broker and of the simulated messengers follow it. */
const firstPort = z.coerce.number().int().min(1).max(65_532).default(8080)

export interface DemoSettings {
  sandboxPort: number
  messengersPort: number
  orders: number
  devices: number
  /** No customer comes, and no place loses its power: only what somebody does happens. */
  isStill: boolean
  /** Of the server, once its database and key are there. */
  configWith(own: {
    databaseUrl: string
    secretKey: string
    /** Addresses of the simulated messengers. */
    messengers: { http: string; smtp: string }
  }): Config
}

function read<Schema extends z.ZodType>(
  environment: Record<string, string | undefined>,
  name: string,
  { about, schema }: { about: string; schema: Schema },
): z.output<Schema> {
  const parsed = schema.safeParse(environment[name] === '' ? undefined : environment[name])
  if (parsed.success) return parsed.data
  throw new ConfigError([`${name} is wrong (${parsed.error.issues[0]?.message}). ${about}`])
}

/**
 * Reads the demo's settings, before anything is started. What belongs to the demo is its own, whatever the environment says:
 * one that was set up for production must not be written to.
 * @throws ConfigError
 */
export function readDemoSettings(environment: Record<string, string | undefined>): DemoSettings {
  const misspelt = misspeltNames(environment, Object.keys(ownSettings))
  if (misspelt.length > 0) throw new ConfigError(misspelt)
  const port = read(environment, 'PORT', {
    about: 'Port of the console, up to 65532: the demo needs the three after it as well.',
    schema: firstPort,
  })
  const configWith: DemoSettings['configWith'] = (own) =>
    readConfig({
      MQTT_PORT: String(port + 2),
      MQTT_HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ALERT_OFFLINE_MINUTES: String(demoAlertTimes.offlineMinutes),
      ...environment,
      PORT: String(port),
      PUBLIC_URL: environment['PUBLIC_URL'] || `http://127.0.0.1:${port}`,
      CALLS_PER_MINUTE: '100000',
      ROLES: '',
      MQTT_URL: '',
      S3_BUCKET_URL: '',
      S3_ACCESS_KEY_ID: '',
      S3_SECRET_ACCESS_KEY: '',
      HEALTH_PORT: '',
      WECOM_URL: own.messengers.http,
      DINGTALK_URL: own.messengers.http,
      FEISHU_URL: own.messengers.http,
      WEBHOOKS_TO_PRIVATE_ADDRESSES: 'true',
      SMTP_URL: own.messengers.smtp,
      MAIL_FROM: 'chairside@demo.example',
      DATABASE_URL: own.databaseUrl,
      SECRET_KEY: own.secretKey,
    })
  configWith({
    databaseUrl: 'postgres://127.0.0.1/chairside',
    secretKey: 'x'.repeat(32),
    messengers: { http: 'http://127.0.0.1', smtp: 'smtp://127.0.0.1' },
  })
  return {
    sandboxPort: read(environment, 'SANDBOX_PORT', ownSettings.SANDBOX_PORT) ?? port + 1,
    messengersPort: port + 3,
    orders: read(environment, 'DEMO_ORDERS', ownSettings.DEMO_ORDERS),
    devices: read(environment, 'DEMO_DEVICES', ownSettings.DEMO_DEVICES),
    isStill: read(environment, 'DEMO_STILL', ownSettings.DEMO_STILL) === 'true',
    configWith,
  }
}
