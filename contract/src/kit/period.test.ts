import { describe, expect, it } from 'vitest'
import { dayOfInstant } from './period.ts'

describe('the day of an instant', () => {
  it.each([
    ['Asia/Shanghai', '2026-03-01T15:59:59.999Z', '2026-03-01T16:00:00Z'],
    // A quarter of an hour off the full hours.
    ['Asia/Kathmandu', '2026-03-01T18:14:59.999Z', '2026-03-01T18:15:00Z'],
    ['America/New_York', '2026-03-02T04:59:59.999Z', '2026-03-02T05:00:00Z'],
  ])('changes at midnight in %s, in whatever order it is asked', (timeZone, last, first) => {
    for (const [instant, day] of [
      [last, '2026-03-01'],
      [first, '2026-03-02'],
      [last, '2026-03-01'],
    ] as const)
      expect(dayOfInstant(new Date(instant), timeZone)).toBe(day)
  })
})
