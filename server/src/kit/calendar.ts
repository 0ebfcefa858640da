import { addDays } from '@chairside/contract'

/** By time zone: making one takes a hundred times as long as using it. */
const offsetFormats = new Map<string, Intl.DateTimeFormat>()

/** Milliseconds a zone is ahead of UTC at an instant. */
function offsetMs(instant: number, timeZone: string): number {
  let format = offsetFormats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    offsetFormats.set(timeZone, format)
  }
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(name ?? '') ?? []
  return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1)
}

/** The instant at which a calendar day begins in a time zone; where the clock skips midnight, that is some time later. */
export function startOfDay(day: string, timeZone: string): Date {
  const utc = Date.parse(`${day}T00:00:00Z`)
  // Where the clock changes on that very day, the offset of the first guess may be the neighbour's.
  const guess = utc - offsetMs(utc, timeZone)
  const start = utc - offsetMs(guess, timeZone)
  const isTheDayBefore = start + offsetMs(start, timeZone) < utc
  return new Date(isTheDayBefore ? guess : start)
}

/** The instants of a range of days, the last one included: from the first, up to but not the second. */
export function instantsOfDays(
  startDate: string,
  endDate: string,
  timeZone: string,
): { from: Date; before: Date } {
  return { from: startOfDay(startDate, timeZone), before: startOfDay(addDays(endDate, 1), timeZone) }
}

/** What calendar and clock show at an instant in a time zone, `2026-11-21 09:30:00`. */
export const clockTime = (instant: Date, timeZone: string): string =>
  new Date(instant.getTime() + offsetMs(instant.getTime(), timeZone))
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')
