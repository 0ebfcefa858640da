import fs from 'node:fs'
import path from 'node:path'
import { readConfig, type Config } from '../config.ts'
import { StartError } from './plain-errors.ts'
import { embeddedDatabaseUrl } from '../kit/embedded-postgres-address.ts'

export interface OperatorSettings {
  config: Config
  /** What the settings are those of: a server's in the environment, or the demo's in its data folder. */
  isDemo: boolean
  /** False where there was no key to be had. */
  hasKey: boolean
}

const noKey = 'no key, and what needs one does not ask'.padEnd(40)

/**
 * The settings for a command that an operator runs beside the server: those of the server where DATABASE_URL is set, else
 * those of the demo in DATA_DIR. Only the database has to be known.
 * @throws ConfigError, StartError
 */
export function readOperatorSettings(environment: Record<string, string | undefined>): OperatorSettings {
  const folder = path.resolve(environment['DATA_DIR'] || '.data')
  const demoUrl = environment['DATABASE_URL'] ? undefined : embeddedDatabaseUrl(folder)
  if (!environment['DATABASE_URL'] && !demoUrl)
    throw new StartError(
      `Set DATABASE_URL, or DATA_DIR to the folder of a demo that runs: there is none at ${folder}.`,
    )
  const keyFile = path.join(folder, 'secret-key')
  const demoKey = demoUrl && fs.existsSync(keyFile) ? fs.readFileSync(keyFile, 'utf8').trim() : undefined
  const key = demoUrl ? demoKey : environment['SECRET_KEY']
  const config = readConfig({
    ...environment,
    // The demo's own, as it has them itself.
    ...(demoUrl
      ? {
          DATABASE_URL: demoUrl,
          MQTT_URL: '',
          MQTT_PORT: environment['MQTT_PORT'] || String(Number(environment['PORT'] || 8080) + 2),
          S3_BUCKET_URL: '',
          S3_ACCESS_KEY_ID: '',
          S3_SECRET_ACCESS_KEY: '',
          HEALTH_PORT: '',
          SMTP_URL: '',
          MAIL_FROM: '',
          ROLES: '',
        }
      : {}),
    SECRET_KEY: key || noKey,
    PUBLIC_URL: environment['PUBLIC_URL'] || `http://127.0.0.1:${environment['PORT'] || 8080}`,
  })
  return { config, isDemo: demoUrl !== undefined, hasKey: Boolean(key) }
}

/** A path as it was typed: npm runs commands in the folder of the project. */
export const typedPath = (typed: string, environment: Record<string, string | undefined>): string =>
  path.resolve(environment['INIT_CWD'] || process.cwd(), typed)
