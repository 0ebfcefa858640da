import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { keep, readKept } from './kept.ts'
import { en, type Texts } from './texts/en.ts'
import { zh } from './texts/zh.ts'

export type PageLanguage = 'en' | 'zh-CN'

const storageKey = 'LANG'

/** The customer's own choice, else the phone's language. */
function preferred(): PageLanguage {
  const stored = readKept(storageKey)
  if (stored === 'en' || stored === 'zh-CN') return stored
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

/** The language a banner's `frontLang` allows: 1 Chinese, 2 English, 3 both (spec 2 §3). */
export function languageFor(frontLang: number): PageLanguage {
  if (frontLang === 1) return 'zh-CN'
  return frontLang === 2 ? 'en' : preferred()
}

export function rememberLanguage(language: PageLanguage): void {
  keep(storageKey, language)
}

export const LanguageContext = createContext<PageLanguage>('zh-CN')

type PlainKey = { [Key in keyof Texts]: Texts[Key] extends string ? Key : never }[keyof Texts]

/** Texts of the page's language; `say` puts values in for `{name}`. */
export function useTexts() {
  const language = useContext(LanguageContext)
  const texts = language === 'en' ? en : zh
  const say = (key: PlainKey, values: Record<string, string | number> = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ''))
  return { language, texts, say }
}
