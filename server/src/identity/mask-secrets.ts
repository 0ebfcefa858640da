const secretName = /password|passwd|secret|token|otp|credential|signkey|private|apikey/i
const masked = '***'

/** What is kept of a value in the audit trail: the same, with everything masked whose name says that it is secret. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      // That a secret is set, as a yes or no, tells nothing of it.
      secretName.test(name) && typeof part !== 'boolean' ? masked : maskSecrets(part),
    ]),
  )
}
