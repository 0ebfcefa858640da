import { plainWords, type ChangeWords } from './change-words.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether a field is a name that is kept beside its number, as `parentName` beside `parentId`. */
const isNameBeside = (field: string, record: Record<string, unknown>) =>
  field.endsWith('Name') && typeof record[field.replace(/Name$/, 'Id')] === 'number'

/** A number with the name that is kept beside it. */
function nameBeside(field: string, record: Record<string, unknown>, words: ChangeWords): string | undefined {
  const [id, name] = [record[field], record[field.replace(/Id$/, 'Name')]]
  return field.endsWith('Id') && typeof id === 'number' && typeof name === 'string'
    ? words.named(name, id)
    : undefined
}

function textOf(field: string, value: unknown, words: ChangeWords): string {
  if (value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return words.value(field, value) ?? String(value)
  if (Array.isArray(value)) return value.map((one) => textOf(field, one, words)).join(', ')
  if (isRecord(value)) {
    return Object.entries(value)
      .filter(([field]) => !isNameBeside(field, value))
      .map(
        ([field, part]) =>
          `${words.field(field)} ${nameBeside(field, value, words) ?? textOf(field, part, words)}`,
      )
      .join(', ')
  }
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

type OfDevice = Record<string, unknown> & { deviceId: string }

const isOfDevice = (value: unknown): value is OfDevice =>
  isRecord(value) && typeof value['deviceId'] === 'string'

/** What changed of many devices, one line for each. */
function deviceChanges(before: readonly OfDevice[], after: readonly OfDevice[], words: ChangeWords): string {
  const [old, now] = [before, after].map((ones) => new Map(ones.map((one) => [one.deviceId, one])))
  const ids = [...new Set([...before, ...after].map(({ deviceId }) => deviceId))]
  return ids
    .map((id) => {
      const { deviceId: _, ...all } = { ...old?.get(id), ...now?.get(id) }
      const [was, is]: Record<string, unknown>[] = [old?.get(id) ?? {}, now?.get(id) ?? {}]
      const parts = Object.keys(all)
        .filter((field) => !isSame(was?.[field] ?? null, is?.[field] ?? null))
        .map((field) => `${words.field(field)} ${change(field, was?.[field], is?.[field], words)}`)
      return words.line(id, parts.join(', '))
    })
    .join('\n')
}

/** What differs between before and after, one line for each field. */
export function describeChanges(before: unknown, after: unknown, words: ChangeWords = plainWords): string {
  if (before === undefined && after === undefined) return ''
  if (Array.isArray(before) && Array.isArray(after) && [...before, ...after].every(isOfDevice))
    return deviceChanges(before, after, words)
  if (!isRecord(before ?? {}) || !isRecord(after ?? {})) return change('', before, after, words)
  const [old, now] = [before ?? {}, after ?? {}] as [Record<string, unknown>, Record<string, unknown>]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return fields
    .filter((field) => !isSame(old[field], now[field]))
    .map((field) => words.line(words.field(field), change(field, old[field], now[field], words)))
    .join('\n')
}
