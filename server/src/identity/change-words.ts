import { permissionTree, wholeDay, yuanFromCents } from '@chairside/contract'
import { joinWords, type Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
import { clockTime } from '../kit/calendar.ts'
import { fieldsOfNumbers } from './audit-names-sql.ts'

/** The words that a change is described in. */
export interface ChangeWords {
  /** Several one after the other. */
  list(parts: readonly string[]): string
  line(field: string, change: string): string
  field(name: string): string
  /** A kind of thing that is kept by its number. */
  named(name: string, id: number): string
  /** What stands for a value of a field; undefined when it says enough itself. */
  value(field: string, value: string | number | boolean): string | undefined
}

/** Where the words of the forms and lists of an action are, by how its name begins. */
const textsOfActions: Readonly<Record<string, readonly string[]>> = {
  subaccount: ['identity.account'],
  superusers: ['identity.account'],
  users: ['organisations'],
  baseinfo: ['organisations'],
  place: ['catalogue.place'],
  goodstemp: ['catalogue.template', 'catalogue'],
  goods: ['catalogue.goods', 'catalogue'],
  device: ['devices'],
  model: ['models'],
  batch: ['batches', 'devices'],
  banner: ['banners'],
  notification: ['notifications'],
  order: ['refunds', 'orders'],
}

/** Amounts are kept in cents and shown in yuan. */
const amounts: ReadonlySet<string> = new Set(['goods.price', 'order.priceCents'])

/** What statuses and choices are stored as; anything longer is not one. */
const isCode = (value: unknown) => typeof value === 'boolean' || /^\d{1,2}$/.test(String(value))

/** Text keys of a page, and of a button behind its page, by the id of the node. */
const namesOfNodes = new Map<number, readonly string[]>(
  (['admin', 'agent', 'merchant'] as const)
    .flatMap((tree) => permissionTree(tree, 'all').flatMap(({ children }) => children))
    .flatMap((page) => [
      [page.id, [page.description]] as const,
      ...page.children.map((button) => [button.id, [page.description, button.description]] as const),
    ]),
)

/** The words of an action's changes in a language: those of its forms and lists, and a few of the trail's own. */
export function changeWords(language: Language, action: string): ChangeWords {
  const [kind = ''] = action.split('.')
  const groups = textsOfActions[kind] ?? []
  const firstOf = (keys: readonly string[]): string | undefined =>
    keys.map((key) => [key, translate(language, key)]).find(([key, text]) => key !== text)?.[1]
  return {
    list: (parts) => joinWords(parts, language),
    line: (field, change) => translate(language, 'audit.line', { field, change }),
    field: (name) =>
      firstOf([`audit.part.${name}`, ...groups.map((group) => `${group}.field.${name}`)]) ?? name,
    named: (name, id) => translate(language, 'audit.named', { name, id: String(id) }),
    value(field, value) {
      if (amounts.has(`${kind}.${field}`)) return yuanFromCents(Number(value))
      // A list of numbers by itself is one of granted nodes.
      if ((field === '' || field === 'permissionIds') && typeof value === 'number')
        return namesOfNodes
          .get(value)
          ?.map((key) => translate(language, key))
          .join(' · ')
      if (value === wholeDay) return translate(language, 'catalogue.allDay')
      if (kind === 'device' && field === 'operation') return firstOf([`audit.operation.${value}`])
      if (!isCode(value) && kind !== 'notification') return undefined
      return firstOf([
        ...groups.map((group) => `${group}.${field}.${value}`),
        ...(typeof value === 'boolean' ? [`audit.flag.${value}`] : []),
      ])
    },
  }
}

const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

/** Words that show instants in a time zone. */
export const withClock = (words: ChangeWords, timeZone: string): ChangeWords => ({
  ...words,
  value: (field, value) =>
    typeof value === 'string' && instantForm.test(value)
      ? clockTime(new Date(value), timeZone)
      : words.value(field, value),
})

/** Words that show names beside numbers. */
export const withNames = (
  words: ChangeWords,
  language: Language,
  names: Readonly<Record<string, string>>,
): ChangeWords => ({
  ...words,
  value(field, value) {
    if (!fieldsOfNumbers.has(field) || typeof value !== 'number') return words.value(field, value)
    const name = names[`${field}:${value}`]
    if (name === undefined) return translate(language, 'audit.unnamed', { id: String(value) })
    return words.named(name, value)
  },
})

/** Nothing but what is kept. */
export const plainWords: ChangeWords = {
  list: (parts) => parts.join(', '),
  line: (field, change) => `${field}: ${change}`,
  field: (name) => name,
  named: (name, id) => `${name} (${id})`,
  value: () => undefined,
}
