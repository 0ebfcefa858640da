import { plainWords, type ChangeWords } from './change-words.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function textOf(field: string, value: unknown, words: ChangeWords): string {
  if (value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return words.value(field, value) ?? String(value)
  if (Array.isArray(value)) return value.map((one) => textOf(field, one, words)).join(', ')
  if (isRecord(value))
    return Object.entries(value)
      .map(([name, part]) => `${words.field(name)} ${textOf(name, part, words)}`)
      .join(', ')
  return '—'
}

/** What two lists have more and less, which is easier to read than both. */
function listChange(
  field: string,
  before: readonly unknown[],
  after: readonly unknown[],
  words: ChangeWords,
): string {
  const without = (ones: readonly unknown[], others: readonly unknown[]) => {
    const known = new Set(others.map((other) => JSON.stringify(other)))
    return ones.filter((one) => !known.has(JSON.stringify(one))).map((one) => textOf(field, one, words))
  }
  return [
    ...without(after, before).map((text) => `+${text}`),
    ...without(before, after).map((text) => `−${text}`),
  ].join('; ')
}

function change(field: string, before: unknown, after: unknown, words: ChangeWords): string {
  if (Array.isArray(before) && Array.isArray(after)) return listChange(field, before, after, words)
  const [old, now] = [textOf(field, before, words), textOf(field, after, words)]
  if (after === undefined) return `${old} →`
  return before === undefined ? now : `${old} → ${now}`
}

/** What differs between before and after, one line for each field. */
export function describeChanges(before: unknown, after: unknown, words: ChangeWords = plainWords): string {
  if (before === undefined && after === undefined) return ''
  if (!isRecord(before ?? {}) || !isRecord(after ?? {})) return change('', before, after, words)
  const [old, now] = [before ?? {}, after ?? {}] as [Record<string, unknown>, Record<string, unknown>]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return fields
    .filter((field) => !isSame(old[field], now[field]))
    .map((field) => words.line(words.field(field), change(field, old[field], now[field], words)))
    .join('\n')
}
