import { describe, expect, it } from 'vitest'
import { dayOfInstant, daysOfRange } from './period.ts'

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

describe('the days of a range', () => {
  it('come to an end, also the last ones that can be written', () => {
    expect(daysOfRange({ startDate: '2026-02-27', endDate: '2026-03-01' })).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ])
    expect(daysOfRange({ startDate: '9999-12-30', endDate: '9999-12-31' })).toEqual([
      '9999-12-30',
      '9999-12-31',
    ])
  })
})
