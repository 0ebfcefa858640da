/*
 * `npm run broker:password`: prints the password by which gateways sign in to a broker of the operator's own, with the user name
 * `gateway`. It is derived from SECRET_KEY and nowhere kept.
 */
import { createDeviceCredentials } from '../devices/device-credentials.ts'
import { createSecretBox } from '../kit/secrets.ts'
import { readOperatorSettings } from './operator-settings.ts'
import { exitWith, StartError } from './plain-errors.ts'

try {
  const { SECRET_KEY: key, DATABASE_URL: databaseUrl } = process.env
  // A key that is given is the one that is meant, also beside the folder of a demo; the database is not asked.
  const { config, hasKey } = readOperatorSettings(
    key ? { ...process.env, DATABASE_URL: databaseUrl || 'postgres://not-asked' } : process.env,
  )
  if (!hasKey) throw new StartError('Set SECRET_KEY: the password is derived from it.')
  process.stdout.write(`${createDeviceCredentials(createSecretBox(config.secretKey)).gatewayPassword}\n`)
} catch (error) {
  exitWith(error)
}
