import type { UnreachableReason } from '@chairside/contract'

/** By the codes of Node, and of nodemailer where that has its own. */
const reasons: Partial<Record<string, UnreachableReason>> = {
  ENOTFOUND: 'the host is not found',
  EAI_AGAIN: 'the host is not found',
  EDNS: 'the host is not found',
  ECONNREFUSED: 'there is no connection',
  EHOSTUNREACH: 'there is no connection',
  ENETUNREACH: 'there is no connection',
  ABORT_ERR: 'no answer in time',
  EABORT: 'no answer in time',
  ETIMEDOUT: 'no answer in time',
}

/** Why nobody answered, from what was thrown. */
export function reasonOf(error: unknown): UnreachableReason {
  if (!(error instanceof Error)) return 'the connection broke'
  // The filtering agent's own refusal has no code.
  if (/ is not allowed\. Because/.test(error.message)) return 'the address is private'
  const code = 'code' in error ? String(error.code) : ''
  // Nodemailer puts its own code in the place of a more telling one.
  const telling = 'originalCode' in error ? String(error.originalCode) : code
  if (/CERT|UNABLE_TO/.test(telling)) return 'the certificate is not valid'
  return reasons[telling] ?? reasons[code] ?? 'the connection broke'
}
