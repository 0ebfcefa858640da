const isUnkeepableText = (text: string) => text.includes('\u0000') || !text.isWellFormed()

/**
 * PostgreSQL keeps no NUL and no half of a character, and nobody types them. Lists are looked through one after another:
 * somebody may send one in one in one, deeper than a stack is.
 */
export function isUnkeepable(value: unknown): boolean {
  const parts = [value]
  for (const part of parts) {
    if (typeof part === 'string' && isUnkeepableText(part)) return true
    if (Array.isArray(part)) for (const inner of part) parts.push(inner)
  }
  return false
}

/** A text without what cannot be kept of it. */
export const keepablePartOf = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()
