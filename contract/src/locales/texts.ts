import { en } from './en/index.ts'
import type { Language } from './languages.ts'
import { zhCN } from './zh-CN/index.ts'

const textsOf = { en, 'zh-CN': zhCN } as const

type Leaves<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${Key}`
    : Leaves<Tree[Key], `${Prefix}${Key}.`>
}[keyof Tree & string]

/** Every key there is, as `orders.status.3`. */
export type TextKey = Leaves<typeof en>

/**
 * Looks a text up and puts values in for `{name}`, and one of two words for `{name:device:devices}`: the first when the
 * value is 1. An unknown key is answered as it is.
 */
export function translate(
  language: Language,
  key: string,
  values: Record<string, string | number> = {},
): string {
  let found: unknown = textsOf[language]
  for (const part of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[part]
  if (typeof found !== 'string') return key
  // Most have no place for a value, and each answer of a call has one.
  if (!found.includes('{')) return found
  return found.replace(
    /\{(\w+)(?::([^:}]*):([^}]*))?\}/g,
    (whole, name: string, one?: string, several?: string) => {
      const value = values[name]
      if (one === undefined || several === undefined) return String(value ?? whole)
      return String(value) === '1' ? one : several
    },
  )
}

/** A code of somebody else's with its words; one that has none here, as it is. */
export function codeInWords(language: Language, prefix: string, code: string): string {
  const key = `${prefix}.${code}`
  const words = translate(language, key)
  return words === key ? code : `${code} ${words}`
}
