import { audit } from './en/audit.ts'

/** Every action of the audit trail, by the names that calls declare; each has words in both languages. */
export const auditActions: readonly string[] = Object.entries(audit.action).flatMap(([group, actions]) =>
  Object.keys(actions).map((action) => `${group}.${action}`),
)
