import { describe, expect, it } from 'vitest'
import { choice, day, filter, idList, paging, recordId, text, textOrEmpty } from './fields.ts'

describe('a list of ids', () => {
  it('with more than it may have is one fault, whatever they are', () => {
    const faults = (ids: unknown) => idList.safeParse(ids).error?.issues.map(({ code, path }) => [code, path])
    expect(faults(Array.from({ length: 100_000 }, () => 'nobody'))).toEqual([['too_big', []]])
    expect(faults('nobody,'.repeat(2001))).toEqual([['too_big', []]])
    expect(faults(['nobody', 1])).toEqual([['invalid_type', [0]]])
  })

  it('has as many as it may have', () => {
    const ids = Array.from({ length: 2000 }, (_one, index) => index + 1)
    expect(idList.parse(ids)).toEqual(ids)
    expect(idList.parse(`[${ids.join(', ')}]`)).toEqual(ids)
  })
})

describe('a filter', () => {
  it('that is absent, empty or blank narrows nothing', () => {
    for (const field of [textOrEmpty(20), text(20), recordId, day, choice(['1', '2'])])
      for (const nothing of [undefined, null, '', ' ', ' \t　'])
        expect(filter<unknown, unknown>(field).parse(nothing)).toBeUndefined()
    expect(paging.pagesize.parse(' ')).toBe(10)
    expect(filter(textOrEmpty(20)).parse(' G1 ')).toBe('G1')
  })
})
