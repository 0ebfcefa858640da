import { sql, type Database } from '../kit/database.ts'
import type { AuditRecord } from '../kit/door/session-gate.ts'

/** Keeps who tried what; organisation 1 stands for callers without one. */
export async function insertAudit(db: Database, record: AuditRecord): Promise<void> {
  const { principal } = record
  await sql`
    insert into audit_trail (at, account_id, user_name, organisation_id, action, target, outcome, details, address)
    values (${record.at}, ${principal?.accountId ?? null}, ${record.userName || record.target}, ${principal?.organisationId ?? 1},
            ${record.action}, ${record.target.slice(0, 200)}, ${record.outcome}, ${JSON.stringify(record.details)}::jsonb, ${record.address})`.execute(
    db,
  )
}
