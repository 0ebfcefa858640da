import { setTimeout as delay } from 'node:timers/promises'
import { addDays, dayOfInstant } from '@chairside/contract'
import { startOfDay } from '../kit/calendar.ts'
import { testTimeZone } from './test-server.ts'

const enoughMs = 60_000

/** Waits for the next day when the present one is all but over: a test that speaks of today would see two. */
export async function awayFromMidnight(): Promise<void> {
  const tomorrow = addDays(dayOfInstant(new Date(), testTimeZone), 1)
  const leftMs = startOfDay(tomorrow, testTimeZone).getTime() - Date.now()
  if (leftMs < enoughMs) await delay(leftMs)
}
