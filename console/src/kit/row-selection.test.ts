import { expect, it } from 'vitest'
import { chooseRows } from './row-selection.ts'

const keyOf = ({ name }: { name: string }) => name
const [north, south, east] = [{ name: 'north' }, { name: 'south' }, { name: 'east' }]

it('keeps what was chosen on another page when a page is chosen or cleared as a whole', () => {
  const fromFirstPage = chooseRows(new Map(), [north], keyOf, true)
  const both = chooseRows(fromFirstPage, [south, east], keyOf, true)
  expect([...both.keys()]).toEqual(['north', 'south', 'east'])
  expect([...chooseRows(both, [south, east], keyOf, false).keys()]).toEqual(['north'])
})

it('leaves the choice of before as it was', () => {
  const before = chooseRows(new Map(), [north], keyOf, true)
  chooseRows(before, [north], keyOf, false)
  expect([...before.keys()]).toEqual(['north'])
})
