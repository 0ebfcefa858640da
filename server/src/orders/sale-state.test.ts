import { describe, expect, it } from 'vitest'
import { isOpenAt, localTime, sellsFrom } from './sale-state.ts'

describe('a place', () => {
  it.each([
    ['09:00:00', '22:00:00', '08:59', false],
    ['09:00:00', '22:00:00', '09:00', true],
    ['09:00:00', '22:00:00', '21:59', true],
    ['09:00:00', '22:00:00', '22:00', false],
    ['18:00:00', '02:00:00', '17:59', false],
    ['18:00:00', '02:00:00', '23:59', true],
    ['18:00:00', '02:00:00', '01:59', true],
    ['18:00:00', '02:00:00', '02:00', false],
    ['00:00:00', '00:00:00', '12:00', true],
  ])('open from %s to %s is open at %s: %s', (openTime, closeTime, time, isOpen) => {
    expect(isOpenAt({ openTime, closeTime }, time)).toBe(isOpen)
  })

  it('without hours is always open', () => {
    expect(isOpenAt({ openTime: null, closeTime: null }, '03:00')).toBe(true)
  })
})

it.each([
  ['00:00:00', '00:00:00', '22:00'],
  ['09:00:00', '23:00:00', '22:00'],
  ['18:00:00', '02:00:00', '22:00'],
  // Closed when the night begins, open before it ends.
  ['06:00:00', '21:00:00', '06:00'],
  // Closed all night.
  ['09:00:00', '21:00:00', ''],
])('a place open from %s to %s sells what is for 22:00 to 08:00 from %s', (openTime, closeTime, from) => {
  expect(sellsFrom({ openTime, closeTime }, { from: '22:00', until: '08:00' })).toBe(from)
})

it('tells day and time of the platform, whatever the clock of the machine', () => {
  expect(localTime(new Date('2026-12-31T16:00:00Z'), 'Asia/Shanghai')).toEqual({
    day: '2027-01-01',
    time: '00:00',
  })
  expect(localTime(new Date('2026-06-30T15:59:59Z'), 'Asia/Shanghai')).toEqual({
    day: '2026-06-30',
    time: '23:59',
  })
})
