import { z } from 'zod'

/** A time of day of the platform, `HH:MM`. */
export const clockTime = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'clockTime' })

/** Business hours begin and end in steps of half an hour (spec 2 §2, "Places"). */
export const halfHours: readonly string[] = Array.from(
  { length: 48 },
  (_, index) => `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
)
export const halfHour = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):(00|30)$/, { error: 'halfHour' })

/**
 * Whether a time of day lies from a first time up to a last one, which is not included. A last time before the first is
 * that of the next day; the same two times are the whole day.
 */
export const isWithinTimes = (time: string, from: string, until: string): boolean =>
  from < until ? time >= from && time < until : time >= from || time < until

/** Whether two times of day mean the whole day. */
export const isWholeDay = (from: string, until: string): boolean => from === until

/** How the whole day is kept as a text. */
export const wholeDay = '00:00–24:00'
