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

/** Text with line breaks would otherwise look like further changes, made up by whoever typed it. */
const asOneLine = (text: string) => text.replace(/\s*[\n\v\f\r\u0085\u2028\u2029]\s*/g, ' ⏎ ')

function textOf(field: string, value: unknown, words: ChangeWords): string {
  if (value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return words.value(field, value) ?? String(value)
  if (Array.isArray(value)) return words.list(value.map((one) => textOf(field, one, words)))
  if (isRecord(value)) {
    return words.list(
      Object.entries(value)
        .filter(([field]) => !isNameBeside(field, value))
        .map(
          ([field, part]) =>
            `${words.field(field)} ${nameBeside(field, value, words) ?? textOf(field, part, words)}`,
        ),
    )
  }
  return '—'
}

/** What was added to a list and what was taken from it, which is easier to read than both lists. */
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

/** How a field of one of many things changed, with the name that is kept beside a number. */
function changeWithin(
  field: string,
  was: Record<string, unknown>,
  is: Record<string, unknown>,
  words: ChangeWords,
): string {
  const [old, now] = [nameBeside(field, was, words), nameBeside(field, is, words)]
  return change(field, old ?? was[field], now ?? is[field], words)
}

/** What one of many things that changed together is called: a device's id, or a name with its number. */
function titleOf(value: unknown, words: ChangeWords): string | undefined {
  if (!isRecord(value)) return undefined
  const { deviceId, id, name } = value
  if (typeof deviceId === 'string') return deviceId
  return typeof id === 'number' && typeof name === 'string' ? words.named(name, id) : undefined
}

/** Fields that the title of one of many already shows. */
const titleFields: ReadonlySet<string> = new Set(['deviceId', 'id', 'name'])

/** By their titles, all things of a list that changed together; undefined when one of them has none. */
function byTitle(
  list: readonly unknown[],
  words: ChangeWords,
): Map<string, Record<string, unknown>> | undefined {
  const titled = list.map((one) => [titleOf(one, words), one] as const)
  if (titled.some(([title]) => title === undefined)) return undefined
  return new Map(titled as [string, Record<string, unknown>][])
}

/** What changed of many things, one line for each; undefined when they have no titles. */
function changesOfEach(before: unknown, after: unknown, words: ChangeWords): string | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined
  const [old, now] = [byTitle(before, words), byTitle(after, words)]
  if (!old || !now || old.size + now.size === 0) return undefined
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((title) => {
      const [was, is] = [old.get(title) ?? {}, now.get(title) ?? {}]
      const parts = Object.keys({ ...was, ...is })
        .filter((field) => !titleFields.has(field) && !isNameBeside(field, { ...was, ...is }))
        .filter((field) => !isSame(was[field], is[field]))
        .map((field) => `${words.field(field)} ${changeWithin(field, was, is, words)}`)
      return asOneLine(words.line(title, words.list(parts)))
    })
    .join('\n')
}

/** What differs between before and after, one line for each field. */
export function describeChanges(before: unknown, after: unknown, words: ChangeWords = plainWords): string {
  if (before === undefined && after === undefined) return ''
  const ofEach = changesOfEach(before, after, words)
  if (ofEach !== undefined) return ofEach
  if (!isRecord(before ?? {}) || !isRecord(after ?? {})) return asOneLine(change('', before, after, words))
  const [old, now] = [before ?? {}, after ?? {}] as [Record<string, unknown>, Record<string, unknown>]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return fields
    .filter((field) => !isSame(old[field], now[field]))
    .map((field) => asOneLine(words.line(words.field(field), change(field, old[field], now[field], words))))
    .join('\n')
}
