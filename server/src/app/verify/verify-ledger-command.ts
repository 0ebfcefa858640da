/*
 * `npm run ledger:verify [-- <database url>]`: proves the whole book and ends with 1 when anything differs, with 2
 * when it could not look. The address is DATABASE_URL unless it is given, and the demo's own database when neither is.
 */
import { openDatabase } from '../../kit/database.ts'
import { embeddedDatabaseUrl } from '../../kit/embedded-postgres-address.ts'
import { tableOfChecks } from './table-of-checks.ts'
import { verifyLedger } from './verify-ledger.ts'

const url =
  process.argv[2] || process.env['DATABASE_URL'] || embeddedDatabaseUrl(process.env['DATA_DIR'] || '.data')
if (!url) {
  process.stderr.write('Say which database: npm run ledger:verify -- postgres://…, or set DATABASE_URL.\n')
  process.exit(2)
}
const { db, close } = openDatabase(url, { maxConnections: 1, applicationName: 'chairside ledger:verify' })
try {
  const results = await verifyLedger(db)
  process.stdout.write(tableOfChecks(results))
  if (results.some(({ differing }) => differing > 0)) process.exitCode = 1
} catch (error) {
  process.stderr.write(`The ledger could not be verified: ${(error as Error).message}\n`)
  process.exitCode = 2
} finally {
  await close()
}
