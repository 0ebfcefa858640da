import { platformTimeZone } from './installation.ts'
import type { Language } from '@chairside/contract/locales/languages'

const twoDigits = '2-digit'

const dateTimeFormat = new Intl.DateTimeFormat('sv-SE', {
  timeZone: platformTimeZone,
  year: 'numeric',
  month: twoDigits,
  day: twoDigits,
  hour: twoDigits,
  minute: twoDigits,
  second: twoDigits,
})

/** An instant in the platform's zone, `2026-11-21 18:30:05`. */
export function formatDateTime(instant: string | null): string {
  if (instant === null) return ''
  return dateTimeFormat.format(new Date(instant))
}

/** The day it is now on the platform, `2026-11-21`. */
export const platformDay = (): string => formatDateTime(new Date().toISOString()).slice(0, 10)

/** The year it is now on the platform. */
export const platformYear = (): number => Number(platformDay().slice(0, 4))

/** `1234567` with the language's grouping. */
export const formatCount = (count: number, language: Language): string =>
  new Intl.NumberFormat(language).format(count)

/** Seconds as `2 h 5 min`, in the language's words. */
export function formatSeconds(seconds: number, language: Language): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
  const parts = [
    ...(days > 0 ? [part(days, 'day')] : []),
    ...(hours > 0 ? [part(hours, 'hour')] : []),
    ...(days === 0 && (minutes > 0 || hours > 0) ? [part(minutes, 'minute')] : []),
    ...(seconds < 60 ? [part(seconds, 'second')] : []),
  ]
  return parts.join(' ')
}

/** Sentences one after the other; Chinese has no space after a full stop. */
export const joinSentences = (sentences: readonly string[], language: Language): string =>
  sentences.join(language === 'zh-CN' ? '' : ' ')

/** Bytes as `1.2 MB`. */
export function formatBytes(bytes: number, language: Language): string {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte']
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value)
}
