import { expect, it } from 'vitest'
import { idWidth } from './id-width.ts'

it('a column of ids is as wide as its longest id and the button that copies it', () => {
  const width = idWidth(['G100001', 'B9000001', null])
  expect(width).toBe(idWidth(['B9000001']))
  expect(width).toBeGreaterThan(idWidth(['G100001']))
  expect(idWidth(['KT261120044627227GBMG'])).toBeLessThanOrEqual(208)
})

it('ids longer than our own, and none at all, make no column wider', () => {
  expect(idWidth(['4200001234202611241234567890'])).toBe(0)
  expect(idWidth([null, ''])).toBe(0)
})
