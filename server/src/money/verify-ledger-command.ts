/*
 * `npm run ledger:verify [-- <database url>]`: proves the whole book and ends with 1 when anything differs, with 2
 * when it could not look. The address is DATABASE_URL unless it is given, and the demo's own database when neither is.
 */
import fs from 'node:fs'
import path from 'node:path'
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

/** Where the demo's database is, as its embedded server wrote it down. */
function demoDatabase(): string | undefined {
  const file = path.resolve(process.env['DATA_DIR'] ?? '.data', 'postgres/connection.json')
  if (!fs.existsSync(file)) return undefined
  const { port, password } = JSON.parse(fs.readFileSync(file, 'utf8')) as { port: number; password: string }
  return `postgres://chairside:${encodeURIComponent(password)}@127.0.0.1:${port}/chairside`
}

const url = process.argv[2] ?? process.env['DATABASE_URL'] ?? demoDatabase()
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
