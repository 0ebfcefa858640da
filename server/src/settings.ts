import { z } from 'zod'

/*
 * Every setting there is; config.ts reads them from the environment. `docs/settings.md` is printed from this list.
 */

const roles = ['web', 'gateway', 'worker'] as const
export type Role = (typeof roles)[number]

const port = z.coerce.number().int().min(0).max(65_535)
const wholeSeconds = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const wholeMinutes = z.coerce.number().int().min(1).max(1440)

interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** What it is for, in a sentence for the operator. */
  about: string
  schema: Schema
}
const setting = <Schema extends z.ZodType>(about: string, schema: Schema): Setting<Schema> => ({
  about,
  schema,
})

const timeZone = z.string().refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}, 'not a time zone, such as Asia/Shanghai')

function isPlainUrl(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { search, hash, username, password } = new URL(address)
  return search === '' && hash === '' && username === '' && password === ''
}

/** Pages and stickers lead to paths from the root of the host. */
const isBareAddress = (address: string): boolean =>
  isPlainUrl(address) && /^\/*$/.test(new URL(address).pathname)
const moreThanAHost = 'it has more than a host and a port'

const robotUrl = (usual: string) =>
  z
    .url({ protocol: /^https?$/ })
    .refine(isBareAddress, moreThanAHost)
    .transform((url) => url.replace(/\/+$/, ''))
    .prefault(usual)

export const settings = {
  DATABASE_URL: setting(
    'PostgreSQL 15 or newer, as postgres://user:password@host:port/database.',
    z.url({ protocol: /^postgres(ql)?$/ }),
  ),
  SECRET_KEY: setting(
    'Key that encrypts what is secret at rest: at least 32 characters, the same on every process.',
    z.string().min(32),
  ),
  PUBLIC_URL: setting(
    'Address by which customers and providers reach this service, without path or trailing slash.',
    z
      .url({ protocol: /^https?$/ })
      .refine(isBareAddress, moreThanAHost)
      .transform((url) => url.replace(/\/+$/, '')),
  ),
  MQTT_URL: setting(
    'Broker the devices are on; empty starts the embedded broker. The gateway signs in with a name and password of its own.',
    z
      .union([z.literal(''), z.url({ protocol: /^mqtts?$/ }).refine(isBareAddress, moreThanAHost)])
      .default(''),
  ),
  MQTT_HOST: setting('Address the embedded broker listens on.', z.string().default('0.0.0.0')),
  MQTT_PORT: setting('Port the embedded broker listens on.', port.default(1883)),
  HEALTH_PORT: setting(
    'Separate port for /healthz, /readyz and /metrics; processes without the role web have them nowhere else. With the role web, PORT then has only /healthz. Absent by default.',
    port.optional(),
  ),
  HOST: setting('Address on which PORT and HEALTH_PORT listen.', z.string().default('0.0.0.0')),
  PORT: setting('Port the web server listens on.', port.default(8080)),
  ROLES: setting(
    'What this process does: web, gateway, worker, separated by commas.',
    z
      .string()
      .default('web,gateway,worker')
      .transform((text) => text.split(',').map((role) => role.trim()))
      .pipe(z.array(z.enum(roles)).min(1)),
  ),
  DATA_DIR: setting('Folder for files this process keeps.', z.string().default('.data')),
  S3_BUCKET_URL: setting(
    'Bucket of an S3-compatible store for pictures, as https://bucket.host or https://host/bucket; empty keeps them in DATA_DIR, which all processes then have to share.',
    z
      .union([
        z.literal(''),
        z.url({ protocol: /^https?$/ }).refine(isPlainUrl, 'it has a user, a query or a fragment'),
      ])
      .default(''),
  ),
  S3_REGION: setting('Region that requests to the bucket are signed for.', z.string().default('us-east-1')),
  S3_ACCESS_KEY_ID: setting('Id of the key for the bucket.', z.string().default('')),
  S3_SECRET_ACCESS_KEY: setting('The key for the bucket.', z.string().default('')),
  TIME_ZONE: setting('Time zone of the platform: its days and months.', timeZone.default('Asia/Shanghai')),
  COMPANY_NAME: setting('Name in the footer of the console.', z.string().max(60).default('Chairside')),
  DATABASE_CONNECTIONS: setting(
    'Largest number of database connections of this process.',
    z.coerce.number().int().min(5).max(500).default(20),
  ),
  SESSION_IDLE_SECONDS: setting(
    'A session ends after this long without a call.',
    wholeSeconds(60, 30 * 86_400).default(7200),
  ),
  CALLS_PER_MINUTE: setting(
    'Calls that one address may make in a minute.',
    // A screen alone asks several times.
    z.coerce.number().int().min(60).default(1200),
  ),
  TRUST_PROXY: setting(
    'How many proxies of yours are in front of this process, so that X-Forwarded-For is trusted as far as they wrote it: true for one, a number up to 9 for more, false for none.',
    z
      .string()
      .regex(/^(true|false|[1-9])$/, 'neither true, nor false, nor a number from 1 to 9')
      .default('false')
      .transform((text): number | false => (text === 'true' ? 1 : text === 'false' ? false : Number(text))),
  ),
  PAYMENT_WINDOW_SECONDS: setting(
    'How long an order waits to be paid, and keeps its chair from others. WeChat Pay accepts no order with less than a minute left.',
    wholeSeconds(90, 3600).default(300),
  ),
  START_ACK_SECONDS: setting(
    'How long a chair may take to acknowledge a start, before each retry.',
    // A start is tried three times and has to be over within ten minutes.
    wholeSeconds(1, 180).default(30),
  ),
  ALERT_OFFLINE_MINUTES: setting(
    'How long a device is offline, while its place is open, before somebody is alerted.',
    wholeMinutes.default(10),
  ),
  ALERT_WEAK_SIGNAL_MINUTES: setting(
    'How long a signal is weak, while the place is open, before somebody is alerted.',
    wholeMinutes.default(30),
  ),
  ALERT_SETTLE_MINUTES: setting(
    'How long a device has to be well before its alert is cleared.',
    wholeMinutes.default(5),
  ),
  SMTP_URL: setting(
    'Mail server that notifications by e-mail are given to, as smtp://user:password@host:587 or smtps://user:password@host:465; empty sends no mail.',
    z.union([z.literal(''), z.url({ protocol: /^smtps?$/ })]).default(''),
  ),
  MAIL_FROM: setting(
    'Sender of mails, as `alerts@example.com` or `Chairside <alerts@example.com>`.',
    z
      .string()
      .regex(/^$|^([^<>@\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'not an e-mail address')
      .default(''),
  ),
  WEBHOOKS_TO_PRIVATE_ADDRESSES: setting(
    'Whether webhooks may lead to addresses within a private network, and to http. Whoever may add a webhook can then reach what this process reaches.',
    z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true'),
  ),
  WECOM_URL: setting(
    'Address that WeCom group robots are reached by.',
    robotUrl('https://qyapi.weixin.qq.com'),
  ),
  DINGTALK_URL: setting(
    'Address that DingTalk robots are reached by.',
    robotUrl('https://oapi.dingtalk.com'),
  ),
  FEISHU_URL: setting('Address that Feishu robots are reached by.', robotUrl('https://open.feishu.cn')),
  LOG_LEVEL: setting(
    'Lowest level that is logged.',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
} as const

export type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['schema']> }
