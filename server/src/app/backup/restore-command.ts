/*
 * `npm run restore -- <file>`: puts a backup into an empty database, and proves the book. Ends with 0 when all is there and the
 * book is sound, and with 1 otherwise.
 */
import { openDatabase } from '../../kit/database.ts'
import { createSecretBox } from '../../kit/secrets.ts'
import { tableOfChecks } from '../verify/table-of-checks.ts'
import { verifyLedger } from '../verify/verify-ledger.ts'
import { readOperatorSettings, typedPath } from '../operator-settings.ts'
import { openPictureStore } from '../picture-files.ts'
import { exitWith, StartError } from '../plain-errors.ts'
import { restore } from './restore.ts'

try {
  const typed = process.argv[2]
  if (!typed || process.argv.length > 3)
    throw new StartError('Say which file, and nothing else: npm run restore -- chairside-….backup.zip')
  const { config, hasKey } = readOperatorSettings(process.env)
  const { madeAt, rows, pictures, migrations } = await restore(typedPath(typed, process.env), {
    databaseUrl: config.databaseUrl,
    pictures: openPictureStore(config),
    keyFingerprint: hasKey ? createSecretBox(config.secretKey).fingerprint : undefined,
  })
  process.stdout.write(`Restored ${rows} rows and ${pictures} pictures of ${madeAt}.\n`)
  if (migrations.length > 0) process.stdout.write(`Brought up to date by ${migrations.join(', ')}.\n`)
  const { db, close } = openDatabase(config.databaseUrl, { maxConnections: 1 })
  const results = await verifyLedger(db)
  await close()
  process.stdout.write(tableOfChecks(results))
  if (results.some(({ differing }) => differing > 0)) process.exitCode = 1
} catch (error) {
  exitWith(error)
}
