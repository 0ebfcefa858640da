import { languageOf, type Language } from '@chairside/contract/locales/languages'
import { translate, type TextKey } from '@chairside/contract/locales/texts'
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { browserStorage } from './browser-storage.ts'

const storageKey = 'LANG'

/** A stored choice, else the browser's language, else English (spec 1 §1). */
function initialLanguage(): Language {
  const stored = browserStorage.getItem(storageKey)
  return stored === 'en' || stored === 'zh-CN' ? stored : languageOf(navigator.languages.join(','))
}

let current: Language = initialLanguage()

/** The language calls are made in. */
export const currentLanguage = (): Language => current

interface LanguageValue {
  language: Language
  setLanguage(language: Language): void
}

const LanguageContext = createContext<LanguageValue>({ language: current, setLanguage: () => undefined })

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setState] = useState(current)
  const setLanguage = useCallback((next: Language) => {
    current = next
    browserStorage.setItem(storageKey, next)
    setState(next)
  }, [])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const value = useMemo(() => ({ language, setLanguage }), [language, setLanguage])
  return <LanguageContext value={value}>{children}</LanguageContext>
}

export const useLanguage = () => use(LanguageContext)

export type Say = (key: TextKey, values?: Record<string, string | number>) => string

/** The texts of the console in the language chosen. */
export function useTexts(): Say {
  const { language } = useLanguage()
  return useCallback((key, values) => translate(language, key, values), [language])
}

/** A text whose key is only known when the program runs, such as a status' name. */
export function useTextOf(): (key: string) => string {
  const { language } = useLanguage()
  return useCallback((key) => translate(language, key), [language])
}
