/** PostgreSQL keeps no NUL and no half of a character, and nobody types them. */
export const isUnkeepable = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\u0000') || !value.isWellFormed()
    : Array.isArray(value) && value.some(isUnkeepable)
