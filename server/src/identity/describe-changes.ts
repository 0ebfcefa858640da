const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** What two lists of ids have more and less, which is easier to read than both. */
function listChange(before: readonly unknown[], after: readonly unknown[]): string {
  const added = after.filter((one) => !before.includes(one)).map((one) => `+${textOf(one)}`)
  const taken = before.filter((one) => !after.includes(one)).map((one) => `−${textOf(one)}`)
  return [...added, ...taken].join(' ')
}

function change(before: unknown, after: unknown): string {
  if (Array.isArray(before) && Array.isArray(after)) return listChange(before, after)
  if (after === undefined) return `${textOf(before)} →`
  return before === undefined ? textOf(after) : `${textOf(before)} → ${textOf(after)}`
}

/** What differs between before and after, one line for each field. */
export function describeChanges(before: unknown, after: unknown): string {
  if (!isRecord(before ?? {}) || !isRecord(after ?? {})) return change(before, after)
  const [old, now] = [before ?? {}, after ?? {}] as Record<string, unknown>[]
  const fields = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
  return fields
    .filter((field) => textOf(old?.[field]) !== textOf(now?.[field]))
    .map((field) => `${field}: ${change(old?.[field], now?.[field])}`)
    .join('\n')
}
