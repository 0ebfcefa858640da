import { z } from 'zod'
import { choiceOr, day, filter } from './fields.ts'

/** Day periods: 1 yesterday, 2 today, 3 this week (from Monday), 4 this month, 5 custom (spec 3 §2.1, decisions §6). */
export const dayPeriods = ['1', '2', '3', '4', '5'] as const
export type DayPeriod = (typeof dayPeriods)[number]

/** Fields of a report by day; both dates are needed for period 5 and `enddate` is included. */
export const dayPeriodFields = (byDefault: DayPeriod) => ({
  datetype: choiceOr(byDefault, dayPeriods),
  startdate: filter(day),
  enddate: filter(day),
})

/** A range of calendar days, both included. */
export interface DayRange {
  startDate: string
  endDate: string
}

const dayMs = 86_400_000

function utcOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}

/** The calendar day `days` after `date`. */
export function addDays(date: string, days: number): string {
  return new Date(utcOf(date).getTime() + days * dayMs).toISOString().slice(0, 10)
}

/** Number of days from `startDate` to `endDate`, both included. */
export function countDays({ startDate, endDate }: DayRange): number {
  return Math.round((utcOf(endDate).getTime() - utcOf(startDate).getTime()) / dayMs) + 1
}

/** `01` to `31`: a report of a year names each of its days. */
const datesOfMonth = Array.from({ length: 31 }, (_, index) => String(index + 1).padStart(2, '0'))

/** Every day of a range, the first one first. */
export function daysOfRange({ startDate, endDate }: DayRange): string[] {
  const days: string[] = []
  for (let day = startDate; day <= endDate;) {
    const lastOfMonth = endOfMonth(day)
    const last = lastOfMonth < endDate ? lastOfMonth : endDate
    const month = day.slice(0, 8)
    for (const date of datesOfMonth.slice(Number(day.slice(8)) - 1, Number(last.slice(8))))
      days.push(month + date)
    // The day after the last one that can be written would come before all others.
    if (last === endDate) break
    day = addDays(last, 1)
  }
  return days
}

/** Last day of the month `date` is in. */
export function endOfMonth(date: string): string {
  const first = utcOf(`${date.slice(0, 7)}-01`)
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
}

/**
 * The days of a day period.
 * @param today the platform's calendar day
 * @returns undefined for a custom period that lacks a date or ends before it starts
 */
export function daysOfPeriod(
  period: DayPeriod,
  today: string,
  custom: { startdate?: string | undefined; enddate?: string | undefined } = {},
): DayRange | undefined {
  switch (period) {
    case '1':
      return { startDate: addDays(today, -1), endDate: addDays(today, -1) }
    case '2':
      return { startDate: today, endDate: today }
    case '3': {
      const daysSinceMonday = (utcOf(today).getUTCDay() + 6) % 7
      return { startDate: addDays(today, -daysSinceMonday), endDate: today }
    }
    case '4':
      return { startDate: `${today.slice(0, 7)}-01`, endDate: today }
    case '5':
      if (!custom.startdate || !custom.enddate || custom.startdate > custom.enddate) return undefined
      return { startDate: custom.startdate, endDate: custom.enddate }
  }
}

/** Days begin at full quarters of an hour everywhere, so that all of a quarter is of one day. */
const quarterMs = 15 * 60_000

/** The calendar day of an instant in a time zone. */
export function dayOfInstant(instant: Date, timeZone: string): string {
  const quarter = Math.floor(instant.getTime() / quarterMs)
  let days = dayFormats.get(timeZone)
  if (!days) {
    days = {
      format: new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }),
      quarter: NaN,
      day: '',
    }
    dayFormats.set(timeZone, days)
  }
  if (days.quarter !== quarter) {
    days.day = days.format.format(instant)
    days.quarter = quarter
  }
  return days.day
}

/** By time zone: making one takes a hundred times as long as using it; mostly the present day is asked for. */
const dayFormats = new Map<string, { format: Intl.DateTimeFormat; quarter: number; day: string }>()

/** Data fields every report by day answers: the days it covers, as the server resolved them. */
export const coveredDays = { startDate: z.string(), endDate: z.string() }
