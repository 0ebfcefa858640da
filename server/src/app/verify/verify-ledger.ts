import type { Database } from '../../kit/database.ts'
import { ledgerChecks } from './ledger-checks-sql.ts'
import { listChecks } from './list-checks-sql.ts'
import { rollupChecks } from './rollup-checks-sql.ts'
import { runChecks, type CheckResult } from './run-checks.ts'

/**
 * Proves the whole book: transfers sum to zero, balances equal their entries without a gap, refunds never exceed payments,
 * orders and rollups say what the ledger says (design §3).
 */
export const verifyLedger = (db: Database): Promise<CheckResult[]> =>
  runChecks(db, [...ledgerChecks, ...rollupChecks])

/** Proves that lists of devices and organisations count and name what is there. */
export const verifyLists = (db: Database): Promise<CheckResult[]> => runChecks(db, listChecks)
