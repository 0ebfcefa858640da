/** Languages of the product (spec 1 §1). */
export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

/** Words one after the other, as a language does it. */
export const joinWords = (words: readonly string[], language: Language): string =>
  words.join(language === 'zh-CN' ? '、' : ', ')

/** The language of an `accept-language` header: the first known one, otherwise English. */
export function languageOf(header: string | undefined): Language {
  for (const part of (header ?? '').split(',')) {
    const tag = part.trim().toLowerCase()
    if (tag.startsWith('zh')) return 'zh-CN'
    if (tag.startsWith('en')) return 'en'
  }
  return 'en'
}
