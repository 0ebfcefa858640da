import { describe, expect, it } from 'vitest'
import { parseAddress } from './address.ts'
import { isSameView, viewQueryOf } from './saved-view.ts'

describe('the query of a view', () => {
  it('has everything of an address but the page', () => {
    expect(viewQueryOf({ status: '3', page: '7', pagesize: '30', deviceid: 'G1' })).toBe(
      'deviceid=G1&pagesize=30&status=3',
    )
    expect(viewQueryOf({ page: '2' })).toBe('')
    const state = { name: '海 & 角=1' }
    expect(parseAddress(viewQueryOf(state))).toEqual(state)
  })

  it('is that of the present address in any order and on any page, and of no other', () => {
    expect(isSameView('b=2&a=1', { a: '1', b: '2', page: '3' })).toBe(true)
    expect(isSameView('', {})).toBe(true)
    expect(isSameView('a=1', { a: '1', pagesize: '30' })).toBe(false)
    expect(isSameView('a=1', {})).toBe(false)
  })
})
