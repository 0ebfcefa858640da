import { describe, expect, it } from 'vitest'
import { idList } from './fields.ts'

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
