import { describe, expect, it } from 'vitest'
import { writeWorkbook, type WrittenWorkbook } from '../../testing/test-sheets.ts'
import { readSheet, type SheetLimits } from './read-sheet.ts'
import type { SheetFault } from './sheet-fault.ts'

const megabyte = 1024 * 1024
const limits: SheetLimits = { unpackedBytes: 4 * megabyte, rows: 100 }

/** The rows of a workbook: numbers with the texts of their cells by column, faults behind an exclamation mark. */
async function read(workbook: WrittenWorkbook) {
  const rows = await readSheet(await writeWorkbook(workbook), limits)
  return rows.map(({ number, cells }) => [
    number,
    Object.fromEntries(
      [...cells].map(([column, { text, fault }]) => [column, fault ? `${text}!${fault}` : text]),
    ),
  ])
}
const refused = (fault: string) => ({ name: 'SheetFault', fault })
/** One row with these cells. */
const cells = (...xml: string[]) => ({ rows: `<row r="1">${xml.join('')}</row>` })
const cell = async (xml: string, parts: WrittenWorkbook['parts'] = {}) => {
  const [row] = await read({ ...cells(xml), parts })
  return (row?.[1] as Record<string, string> | undefined)?.['0']
}
const styles = (codes: readonly string[]) => ({
  'xl/styles.xml': `<styleSheet><numFmts>${codes
    .map((code, place) => `<numFmt numFmtId="${200 + place}" formatCode="${code}"/>`)
    .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${codes
    .map((_, place) => `<xf numFmtId="${200 + place}"/>`)
    .join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`,
})

describe('a sheet', () => {
  it('gives its rows by their numbers and columns, and nothing for what is empty', async () => {
    const rows = `<row r="3"><c r="B3"><v>1</v></c><c r="AA3" t="str"><v>far</v></c><c r="ZZ3"><v>2</v></c></row>
      <row r="4"><c r="A4" s="0"/><c r="B4" t="inlineStr"><is><t> </t></is></c></row>
      <row><c t="inlineStr"><is><t>after</t></is></c><c><v>5</v></c></row><row r="nonsense"><c r="?"><v>6</v></c></row>`
    expect(await read({ rows })).toEqual([
      [3, { 1: '1', 26: 'far' }],
      [5, { 0: 'after', 1: '5' }],
      [6, { 0: '6' }],
    ])
  })

  it('names texts that stand elsewhere, in pieces and with their pronunciation', async () => {
    const sharedStrings = `<sst><si><t>plain</t></si><si><r><t>in </t></r><r><t xml:space="preserve"> pieces</t></r><rPh><t>x</t></rPh></si><si><t>a_x000D_b &lt;&#20013;</t></si></sst>`
    const row = cells(...[0, 1, 2, 9].map((place) => `<c t="s"><v>${place}</v></c>`))
    expect(await read({ ...row, parts: { 'xl/sharedStrings.xml': sharedStrings } })).toEqual([
      [1, { 0: 'plain', 1: 'in  pieces', 2: 'a\rb <中' }],
    ])
  })

  it.each([
    ['007', '<c t="inlineStr"><is><t>007</t></is></c>'],
    ['13800138000', '<c><v>13800138000</v></c>'],
    ['0.3', '<c><v>0.30000000000000004</v></c>'],
    ['29.9', '<c><v>2.99E1</v></c>'],
    ['1.2345678901234568e+30!digits', '<c><v>1.2345678901234568E30</v></c>'],
    ['1234567890123456!digits', '<c><v>1234567890123456</v></c>'],
    ['G7', '<c t="str"><f>"G"&amp;7</f><v>G7</v></c>'],
    ['12', '<c><f>3*4</f><v>12</v></c>'],
    ['!noValue', '<c><f>3*4</f></c>'],
    ['#N/A!error', '<c t="e"><f>NA()</f><v>#N/A</v></c>'],
    ['TRUE', '<c t="b"><v>1</v></c>'],
    ['2026-11-21!date', '<c t="d"><v>2026-11-21</v></c>'],
    ['abc!error', '<c><v>abc</v></c>'],
  ])('gives %s as somebody sees it', async (text, xml) => {
    const digits = text.replace('1.2345678901234568e+30', BigInt(1.2345678901234568e30).toString())
    expect(await cell(xml)).toBe(digits)
  })

  it('keeps the zeros that a format puts in front, and tells dates from numbers', async () => {
    const codes = [
      '000000',
      'yyyy\\-mm\\-dd',
      '&quot;day&quot; 0.00',
      '[Red]#,##0',
      '[h]:mm',
      '0.00E+00',
      `${'['.repeat(5000)}`,
    ]
    const parts = styles(codes)
    const styled = (value: number | string, style: number) =>
      cell(`<c s="${style}"><v>${value}</v></c>`, parts)
    expect(await styled(571, 0)).toBe('000571')
    expect(await styled(-571, 0)).toBe('-571')
    expect(await styled(46347.5, 1)).toBe('2026-11-21 12:00!date')
    expect(await styled(29.5, 2)).toBe('29.5')
    expect(await styled(1234, 3)).toBe('1234')
    expect(await styled(0.5, 4)).toBe('12:00!date')
    expect(await styled(1234, 5)).toBe('1234')
    expect(await styled(1234, 6)).toBe('1234')
    expect(await styled(46347, 7)).toBe('2026-11-21!date')
    expect(await styled(59, 7)).toBe('1900-02-28!date')
    expect(await styled(1e300, 7)).toMatch(/!date$/)
  })

  it('may count its days from 1904', async () => {
    const workbook = `<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="S" r:id="worksheet"/></sheets></workbook>`
    const parts = { ...styles([]), 'xl/workbook.xml': workbook }
    expect(await cell('<c s="0"><v>44885</v></c>', parts)).toBe('2026-11-21!date')
  })

  it('is the first one that is not hidden, in either edition of the standard and with any prefix', async () => {
    const workbook = `<x:workbook xmlns:q="r"><x:sheets><x:sheet name="A" state="veryHidden" q:id="hidden"/><x:sheet name="B" q:id="shown"/></x:sheets></x:workbook>`
    const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
    const relations = `<Relationships><Relationship Id="hidden" Type="${strict}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="shown" Type="${strict}/worksheet" Target="/XL/other.xml"/></Relationships>`
    const parts = {
      'xl/workbook.xml': workbook,
      'xl/_rels/workbook.xml.rels': relations,
      'xl/other.xml':
        '<x:worksheet><x:sheetData><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    }
    expect(await read({ rows: '<row><c><v>1</v></c></row>', parts })).toEqual([[1, { 0: '7' }]])
  })
})

describe('a file that means ill, or is broken', () => {
  const sheetName = 'xl/worksheets/sheet1.xml'
  const sheet = (xml: string) => writeWorkbook({ parts: { [sheetName]: xml } })

  it('that unfolds into more than is allowed is refused by what it says', async () => {
    const bomb = await sheet(`<worksheet><sheetData>${' '.repeat(50 * megabyte)}</sheetData></worksheet>`)
    expect(bomb.length).toBeLessThan(megabyte)
    // Whoever unfolds it comes upon bytes that mean nothing first.
    bomb.fill(0xff, bomb.indexOf(sheetName) + sheetName.length + 100, bomb.indexOf(sheetName) + 300)
    await expect(readSheet(bomb, limits)).rejects.toMatchObject({
      ...refused('unpacksTooLarge'),
      values: { max: 4 },
    })
  })

  it('that says less than it unfolds into gives no byte more', async () => {
    const bomb = await sheet(`<worksheet><sheetData>${' '.repeat(8 * megabyte)}</sheetData></worksheet>`)
    const size = Buffer.alloc(4)
    size.writeUInt32LE(8 * megabyte + '<worksheet><sheetData></sheetData></worksheet>'.length)
    const said = Buffer.alloc(4)
    said.writeUInt32LE(1000)
    for (let at = bomb.indexOf(size); at >= 0; at = bomb.indexOf(size, at)) said.copy(bomb, at)
    await expect(readSheet(bomb, limits)).rejects.toMatchObject(refused('broken'))
  })

  it('that repeats one long text in every cell is refused by the length of all', async () => {
    const parts = { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(32_767)}</t></si></sst>` }
    const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(50)}</row>`.repeat(3)
    await expect(readSheet(await writeWorkbook({ rows, parts }), limits)).rejects.toMatchObject(
      refused('unpacksTooLarge'),
    )
  })

  it('with a text longer than Excel has room for in a cell is not read', async () => {
    const row = (length: number) => cells(`<c t="inlineStr"><is><t>${'x'.repeat(length)}</t></is></c>`)
    await expect(read(row(32_768))).rejects.toMatchObject(refused('broken'))
    expect(await read(row(32_767))).toHaveLength(1)
  })

  // To search the ones for each of the others takes half a minute.
  it('that names very many sheets and parts is read in the time that its bytes take', async () => {
    const many = 90_000
    const parts = {
      'xl/workbook.xml': `<workbook>${'<sheet/>'.repeat(many)}<sheet r:id="b"/></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${'<Relationship/>'.repeat(many)}<Relationship Id="b" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    }
    expect(await read({ ...cells('<c><v>7</v></c>'), parts })).toEqual([[1, { 0: '7' }]])
  }, 15_000)

  it('with entities of its own is not read', async () => {
    const lol = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`
    const row = (text: string) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`
    for (const xml of [
      `${lol}<worksheet><sheetData>${row('x')}</sheetData></worksheet>`,
      `<worksheet><sheetData>${row('&b;')}</sheetData></worksheet>`,
    ])
      await expect(readSheet(await sheet(xml), limits)).rejects.toMatchObject(refused('broken'))
  })

  it('with what would fill the memory or is not well formed is not read', async () => {
    const broken = [
      '<a>'.repeat(200_000),
      `<worksheet ${Array.from({ length: 5000 }, (_, place) => `a${place}=""`).join(' ')}/>`,
      `<worksheet><!--${'x'.repeat(megabyte)}--></worksheet>`,
      '<worksheet><sheetData><row></sheetData></worksheet>',
      '<worksheet><sheetData>',
      `<worksheet a="${'x'.repeat(megabyte)}"/>`,
    ]
    for (const xml of broken)
      expect(
        await readSheet(await sheet(xml), limits).catch(({ fault }: SheetFault) => fault),
        xml.slice(0, 40),
      ).toBe('broken')
    const notUtf8 = { 'xl/worksheets/sheet1.xml': Buffer.from('<worksheet>\xff</worksheet>', 'latin1') }
    await expect(readSheet(await writeWorkbook({ parts: notUtf8 }), limits)).rejects.toMatchObject(
      refused('broken'),
    )
  })

  it('with too many rows, or parts, is refused', async () => {
    const rows = '<row><c><v>1</v></c></row>'.repeat(limits.rows + 1)
    await expect(readSheet(await writeWorkbook({ rows }), limits)).rejects.toMatchObject(
      refused('tooManyRows'),
    )
    const empty = '<row><c/></row>'.repeat(limits.rows + 1)
    expect(await read({ rows: empty })).toEqual([])
    const parts = Object.fromEntries(Array.from({ length: 1001 }, (_, place) => [`p${place}`, '']))
    await expect(readSheet(await writeWorkbook({ parts }), limits)).rejects.toMatchObject(refused('broken'))
  })

  it('that is another kind of zip, or workbook, is not taken', async () => {
    const others: NonNullable<WrittenWorkbook['parts']>[] = [
      { '_rels/.rels': '<Relationships/>' },
      {
        '_rels/.rels':
          '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
      },
      { 'xl/workbook.xml': '<workbook><sheets/></workbook>' },
      {
        '_rels/.rels':
          '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
      },
    ]
    for (const parts of others)
      await expect(readSheet(await writeWorkbook({ parts }), limits)).rejects.toMatchObject(
        refused('notExcel'),
      )
  })
})
