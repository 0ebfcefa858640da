import { distance } from 'fastest-levenshtein'
import type { S3Settings } from './kit/object-store/s3-store.ts'
import { settings, type Role, type Settings } from './settings.ts'

/* The settings as they were read from the environment, once, at the start. */

export interface Config {
  databaseUrl: string
  secretKey: string
  publicUrl: string
  mqttUrl: string
  mqttHost: string
  mqttPort: number
  host: string
  port: number
  /** Where health and metrics are asked for; undefined leaves them with the web server. */
  healthPort: number | undefined
  roles: readonly Role[]
  dataDirectory: string
  /** The bucket for pictures; undefined keeps them on disk. */
  s3: S3Settings | undefined
  timeZone: string
  companyName: string
  databaseConnections: number
  sessionIdleSeconds: number
  callsPerMinute: number
  /** How many proxies before us are believed. */
  trustProxy: number | false
  paymentWindowSeconds: number
  startAckSeconds: number
  alertOfflineMinutes: number
  alertWeakSignalMinutes: number
  alertSettleMinutes: number
  /** The mail server and the sender of mails; undefined sends none. */
  mail: { url: string; from: string } | undefined
  /** What addresses of robots begin with. */
  robotUrls: { weCom: string; dingTalk: string; feishu: string }
  webhooksToPrivateAddresses: boolean
  logLevel: Settings['LOG_LEVEL']
}

/** The settings are not usable; the message lists each of them in a line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(problems: readonly string[]) {
    super(`Cannot start with these settings:\n  ${problems.join('\n  ')}`)
  }
}

/** Names that were probably meant to be one of the known ones: a slip in them would else be a silent default. */
export function misspeltNames(
  environment: Record<string, string | undefined>,
  known: readonly string[],
): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name)) return []
    const plain = name.toUpperCase().replaceAll(/[_-]/g, '')
    const meant = known.find((one) => distance(one.replaceAll('_', ''), plain) <= Math.floor(one.length / 6))
    return meant ? [`${name}: did you mean ${meant}?`] : []
  })
}

const s3Of = (read: Settings): S3Settings | undefined =>
  read.S3_BUCKET_URL === ''
    ? undefined
    : {
        bucketUrl: read.S3_BUCKET_URL,
        region: read.S3_REGION,
        accessKeyId: read.S3_ACCESS_KEY_ID,
        secretAccessKey: read.S3_SECRET_ACCESS_KEY,
      }

/** Settings that say something only together. */
const groups = [
  ['S3_BUCKET_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['SMTP_URL', 'MAIL_FROM'],
] as const

/** Half a bucket would silently keep pictures on this machine; half a mail server would send nothing. */
function halfAGroup(read: Settings): string[] {
  return groups.flatMap((names) => {
    const isWrong = names.some((name) => read[name] === undefined)
    const given = names.find((name) => read[name])
    if (isWrong || !given) return []
    return names
      .filter((name) => !read[name])
      .map((name) => `${name} is missing, but ${given} is set. ${settings[name].about}`)
  })
}

const isAnyHost = (host: string) => host === '0.0.0.0' || host === '::'

/** Two parts of one process cannot listen on one port. */
function portsTakenTwice(read: Settings): string[] {
  const { ROLES: does, HOST: host, MQTT_HOST: mqttHost } = read
  const taken = [
    ...(does.includes('web') ? [{ name: 'PORT', port: read.PORT, host }] : []),
    ...(does.includes('gateway') && read.MQTT_URL === ''
      ? [{ name: 'MQTT_PORT', port: read.MQTT_PORT, host: mqttHost }]
      : []),
    ...(read.HEALTH_PORT === undefined ? [] : [{ name: 'HEALTH_PORT', port: read.HEALTH_PORT, host }]),
  ]
  return taken.flatMap((one, index) =>
    taken
      .slice(0, index)
      .filter(
        (other) =>
          other.port === one.port &&
          one.port !== 0 &&
          (other.host === one.host || isAnyHost(other.host) || isAnyHost(one.host)),
      )
      .map((other) => `${one.name} and ${other.name} are both ${one.port}; each needs a port of its own.`),
  )
}

/**
 * Reads the settings from an environment.
 * @throws ConfigError naming every setting that is missing, wrong or misspelt
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const problems = misspeltNames(environment, Object.keys(settings))
  const values: Record<string, unknown> = {}
  for (const [name, { about, schema }] of Object.entries(settings)) {
    const given = environment[name]
    const parsed = schema.safeParse(given === '' ? undefined : given)
    if (parsed.success) values[name] = parsed.data
    else if (given === undefined || given === '') problems.push(`${name} is missing. ${about}`)
    else problems.push(`${name} is wrong (${parsed.error.issues[0]?.message}). ${about}`)
  }
  const read = values as Settings
  problems.push(...halfAGroup(read))
  if (problems.length === 0) problems.push(...portsTakenTwice(read))
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    databaseUrl: read.DATABASE_URL,
    secretKey: read.SECRET_KEY,
    publicUrl: read.PUBLIC_URL,
    mqttUrl: read.MQTT_URL,
    mqttHost: read.MQTT_HOST,
    mqttPort: read.MQTT_PORT,
    host: read.HOST,
    port: read.PORT,
    healthPort: read.HEALTH_PORT,
    roles: read.ROLES,
    dataDirectory: read.DATA_DIR,
    s3: s3Of(read),
    timeZone: read.TIME_ZONE,
    companyName: read.COMPANY_NAME,
    databaseConnections: read.DATABASE_CONNECTIONS,
    sessionIdleSeconds: read.SESSION_IDLE_SECONDS,
    callsPerMinute: read.CALLS_PER_MINUTE,
    trustProxy: read.TRUST_PROXY,
    paymentWindowSeconds: read.PAYMENT_WINDOW_SECONDS,
    startAckSeconds: read.START_ACK_SECONDS,
    alertOfflineMinutes: read.ALERT_OFFLINE_MINUTES,
    alertWeakSignalMinutes: read.ALERT_WEAK_SIGNAL_MINUTES,
    alertSettleMinutes: read.ALERT_SETTLE_MINUTES,
    mail: read.SMTP_URL === '' ? undefined : { url: read.SMTP_URL, from: read.MAIL_FROM },
    robotUrls: { weCom: read.WECOM_URL, dingTalk: read.DINGTALK_URL, feishu: read.FEISHU_URL },
    webhooksToPrivateAddresses: read.WEBHOOKS_TO_PRIVATE_ADDRESSES,
    logLevel: read.LOG_LEVEL,
  }
}
