/*
 * `npm run doctor [-- --without-ledger]`: looks at a running installation and says in a line for each part how it is.
 * Ends with 0 when nothing is wrong, and with 1 otherwise.
 */
import { createSecretBox } from '../../kit/secrets.ts'
import { readOperatorSettings } from '../operator-settings.ts'
import { exitWith, StartError } from '../plain-errors.ts'
import { describeFindings, look } from './finding.ts'
import { lookAtDatabase } from './look-at-database.ts'
import {
  lookAtBroker,
  lookAtDisk,
  lookAtMail,
  lookAtPictures,
  lookAtPublicAddress,
  lookAtServerHere,
} from './look-outside.ts'

const withoutLedger = '--without-ledger'

try {
  const typed = process.argv.slice(2)
  if (typed.some((word) => word !== withoutLedger))
    throw new StartError(`There is one option: npm run doctor -- ${withoutLedger}`)
  const { config, isDemo, hasKey } = readOperatorSettings(process.env)
  const findings = [
    await lookAtDatabase({
      databaseUrl: config.databaseUrl,
      timeZone: config.timeZone,
      keyFingerprint: hasKey ? createSecretBox(config.secretKey).fingerprint : undefined,
      withLedger: typed.length === 0,
    }),
    await look('server', () => lookAtServerHere(config)),
    await look('public address', () => lookAtPublicAddress(config)),
    await look('broker', () => lookAtBroker(config, hasKey)),
    await look('disk', () => lookAtDisk(config, isDemo)),
    await look('pictures', () => lookAtPictures(config)),
    await look('mail', () => lookAtMail(config)),
  ].flat()
  process.stdout.write(describeFindings(findings))
  process.exitCode = findings.some(({ state }) => state === 'bad') ? 1 : 0
} catch (error) {
  exitWith(error)
}
