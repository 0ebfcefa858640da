import { describe, expect, it } from 'vitest'
import { centsFromYuan } from './amount.ts'

describe('an amount typed in yuan', () => {
  it('is read to the cent, with thousands parted or not', () => {
    expect(
      ['0.29', '12', '12.5', ' 12.50 ', '-3', '1,234.56', '1234567.89', '1,234,567'].map(centsFromYuan),
    ).toEqual([29, 1200, 1250, 1250, -300, 123_456, 123_456_789, 123_456_700])
  })

  it('is none where a comma stands for a decimal point, or the text is something else', () => {
    for (const text of [
      '2,50',
      '1,5',
      '12,34.5',
      ',5',
      '1,,000',
      '1.234',
      '1e3',
      '５',
      '',
      '¥5',
      '12345678901',
    ])
      expect(centsFromYuan(text), text).toBeUndefined()
  })
})
