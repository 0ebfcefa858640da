import { listDevices } from '@chairside/contract'
import { describe, expect, it } from 'vitest'
import { offeredColumns, shownColumns, type ColumnsDefinition } from './list-columns.ts'

const columns = (['id', 'name', 'place', 'firmware'] as const).map((field) => ({
  field,
  text: field,
  kind: 'text' as const,
}))
const definition: ColumnsDefinition = { endpoint: listDevices, columns, optionalColumns: ['firmware'] }
const fieldsOf = (list: readonly { field: string }[]) => list.map(({ field }) => field)

describe('the columns of a list', () => {
  it('are all but the optional ones until somebody chooses', () => {
    expect(fieldsOf(shownColumns(definition))).toEqual(['id', 'name', 'place'])
    expect(fieldsOf(shownColumns(definition, []))).toEqual(['id', 'name', 'place', 'firmware'])
    expect(fieldsOf(shownColumns(definition, ['name', 'place']))).toEqual(['id', 'firmware'])
  })

  it('are all of them when a choice would leave none, as when a list has got other columns since', () => {
    expect(fieldsOf(shownColumns(definition, ['id', 'name', 'place', 'firmware']))).toEqual(fieldsOf(columns))
  })

  it('keep the one that leads to the details', () => {
    expect(fieldsOf(shownColumns({ ...definition, fixedColumn: 'id' }, ['id', 'name']))).toEqual([
      'id',
      'place',
      'firmware',
    ])
  })

  it('are those of the Excel file, with those of the screen after their neighbours, without the hidden ones', () => {
    const sheet = fieldsOf(listDevices.sheet?.columns ?? [])
    const extra = { field: 'agentName', text: 'agent', kind: 'text' as const, after: sheet[0] ?? '' }
    const offered = offeredColumns({
      endpoint: listDevices,
      extraColumns: [extra],
      hiddenColumns: [sheet[1] ?? ''],
    })
    expect(fieldsOf(offered)).toEqual([sheet[0], 'agentName', ...sheet.slice(2)])
  })
})
