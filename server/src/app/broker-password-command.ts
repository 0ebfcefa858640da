/*
 * `npm run broker:password`: prints the password by which gateways sign in to a broker of the operator's own, with the user name
 * `gateway`. It is derived from SECRET_KEY and nowhere kept.
 */
import { createDeviceCredentials } from '../devices/device-credentials.ts'
import { createSecretBox } from '../kit/secrets.ts'
import { readOperatorSettings } from './operator-settings.ts'
import { exitWith, StartError } from './plain-errors.ts'

try {
  const { config, hasKey } = readOperatorSettings(process.env)
  if (!hasKey) throw new StartError('Set SECRET_KEY: the password is derived from it.')
  process.stdout.write(`${createDeviceCredentials(createSecretBox(config.secretKey)).gatewayPassword}\n`)
} catch (error) {
  exitWith(error)
}
