/*
 * `npm run ledger:verify [-- <database url>]`: proves the whole book and ends with 1 when anything differs, with 2
 * when it could not look. The address is DATABASE_URL unless it is given.
 */
import { openDatabase } from '../kit/database.ts'
import { verifyLedger, type CheckResult } from './verify-ledger.ts'

function tableOf(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ claim }) => claim.length))
  const lines = results.flatMap(({ claim, examined, differing, examples }) => [
    `${differing === 0 ? 'ok      ' : 'DIFFERS '}${claim.padEnd(width)}  ${String(examined).padStart(10)} compared${differing ? `, ${differing} differ` : ''}`,
    ...examples.map(
      ({ subject, expected, found }) => `          ${subject}: expected ${expected}, found ${found}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}

const url = process.argv[2] ?? process.env['DATABASE_URL']
if (!url) {
  process.stderr.write('Say which database: npm run ledger:verify -- postgres://…, or set DATABASE_URL.\n')
  process.exit(2)
}
const { db, close } = openDatabase(url, { maxConnections: 1, applicationName: 'chairside ledger:verify' })
try {
  const results = await verifyLedger(db)
  process.stdout.write(tableOf(results))
  if (results.some(({ differing }) => differing > 0)) process.exitCode = 1
} catch (error) {
  process.stderr.write(`The ledger could not be verified: ${(error as Error).message}\n`)
  process.exitCode = 2
} finally {
  await close()
}
