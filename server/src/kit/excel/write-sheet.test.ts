import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import yauzl from 'yauzl'
import { writeSheet } from './write-sheet.ts'

/** The parts of a workbook by their names. */
async function partsOf(file: Buffer): Promise<Map<string, string>> {
  const zip = await yauzl.fromBufferPromise(file)
  const parts = new Map<string, string>()
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, String(await buffer(await zip.openReadStreamPromise(entry))))
  return parts
}

/** The rows of a list of numbered things, by sheet; rows of figures as their figures. */
async function written(count: number, rowsPerSheet: number) {
  async function* rows() {
    for (let from = 1; from <= count; from += 4)
      yield Array.from({ length: Math.min(4, count - from + 1) }, (_, index) => ({ n: from + index }))
  }
  const file = await buffer(
    writeSheet({
      columns: [
        { field: 'name', text: 'orders.field.goodsName', kind: 'text' },
        { field: 'n', text: 'orders.field.goodsName', kind: 'integer', totalled: true },
      ],
      rows: rows(),
      language: 'en',
      timeZone: 'UTC',
      rowsPerSheet,
    }),
  )
  const parts = await partsOf(file)
  const sheets = [...parts.keys()].filter((name) => name.startsWith('xl/worksheets/'))
  const figures = sheets.map((name) => [...(parts.get(name) ?? '').matchAll(/<v>(\d+)<\/v>/g)].map(figureOf))
  return { parts, sheets, figures }
}
const figureOf = ([, figure]: RegExpMatchArray) => Number(figure)

it.each([
  [0, [[0]]],
  [7, [[1, 2, 3, 4, 5, 6, 7, 28]]],
  [
    8,
    [
      [1, 2, 3, 4, 5, 6, 7],
      [8, 36],
    ],
  ],
  [
    15,
    [
      [1, 2, 3, 4, 5, 6, 7],
      [8, 9, 10, 11, 12, 13, 14],
      [15, 120],
    ],
  ],
])('%i rows, seven to a sheet, have their total at the end', async (count, expected) => {
  const { parts, sheets, figures } = await written(count, 10)
  expect(figures).toEqual(expected)
  for (const [index, name] of sheets.entries()) {
    const number = index + 1
    expect(parts.get('[Content_Types].xml')).toContain(`PartName="/${name}"`)
    expect(parts.get('xl/workbook.xml')).toContain(
      `<sheet name="Sheet${number}" sheetId="${number}" r:id="rId${number}"/>`,
    )
    expect(parts.get('xl/_rels/workbook.xml.rels')).toContain(`Id="rId${number}"`)
  }
  expect(parts.get('[Content_Types].xml')).toContain('PartName="/xl/styles.xml"')
  expect(parts.get('xl/workbook.xml')?.match(/<sheet /g)).toHaveLength(expected.length)
})

it.each([
  ['a text that just fits', 'x'.repeat(32_767), 'x'.repeat(32_767)],
  ['one letter more', 'x'.repeat(32_768), `${'x'.repeat(32_766)}…`],
  ['a character of two parts at the end', `${'x'.repeat(32_765)}𠮷𠮷`, `${'x'.repeat(32_765)}…`],
])('%s is no more than Excel has room for', async (_what, text, expected) => {
  async function* rows() {
    yield [{ name: text }]
  }
  const columns = [{ field: 'name', text: 'orders.field.goodsName', kind: 'id' }] as const
  const file = await buffer(writeSheet({ columns, rows: rows(), language: 'en', timeZone: 'UTC' }))
  const sheet = (await partsOf(file)).get('xl/worksheets/sheet1.xml') ?? ''
  expect([...sheet.matchAll(/<t>([^<]*)<\/t>/g)].at(-1)?.[1]).toBe(expected)
})

it('what is empty or absent is an empty cell, of whatever kind', async () => {
  const kinds = ['id', 'text', 'integer', 'money', 'dateTime', 'date', 'duration', 'status'] as const
  async function* rows() {
    yield [{ value: '' }, { value: null }, {}]
  }
  const columns = kinds.map((kind) => ({ field: 'value', text: 'orders.field.goodsName', kind }))
  const file = await buffer(writeSheet({ columns, rows: rows(), language: 'en', timeZone: 'UTC' }))
  const sheet = (await partsOf(file)).get('xl/worksheets/sheet1.xml') ?? ''
  expect(sheet.split(`<row>${'<c/>'.repeat(kinds.length)}</row>`)).toHaveLength(4)
})

it.each([
  ['the first moment of a day', '2026-11-23T16:00:00.000Z', '46350.000000000'],
  ['the moment after', '2026-11-23T16:00:00.001Z', '46350.000000012'],
  ['its last', '2026-11-24T15:59:59.999Z', '46350.999999988'],
  ['one before 1970', '1969-12-31T04:00:00.000Z', '25568.500000000'],
])('%s is written as a day and a part of it, by the clock of the time zone', async (_what, at, expected) => {
  async function* rows() {
    yield [{ at }]
  }
  const columns = [{ field: 'at', text: 'orders.field.orderTime', kind: 'dateTime' }] as const
  const file = await buffer(writeSheet({ columns, rows: rows(), language: 'en', timeZone: 'Asia/Shanghai' }))
  const sheet = (await partsOf(file)).get('xl/worksheets/sheet1.xml') ?? ''
  expect(/<v>([^<]*)<\/v>/.exec(sheet)?.[1]).toBe(expected)
})
