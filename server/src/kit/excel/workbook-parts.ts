import type { ColumnKind, SheetColumn } from '@chairside/contract'

/* The parts of a workbook around its sheets, with the few styles that cells need (ECMA-376). */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** Index of the style in `cellXfs` below. */
export const styleOf: Record<ColumnKind, number> = {
  id: 1,
  text: 0,
  status: 0,
  code: 0,
  integer: 0,
  duration: 0,
  money: 2,
  dateTime: 3,
  date: 5,
}
export const titleStyle = 4
/** Grey, in lines as long as the column is wide. */
export const noteStyle = 6

const styles = `${declaration}<styleSheet xmlns="${main}">
<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts>
<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><sz val="10"/><color rgb="FF666666"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="7"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf fontId="2" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs>
</styleSheet>`

const countTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Where the sheet with a number is. */
export const sheetPart = (number: number) => `xl/worksheets/sheet${number}.xml`

/** What a file begins with whatever is in it; by it others tell that it is a workbook. */
export const partsBefore: readonly (readonly [name: string, xml: string])[] = [
  [
    '_rels/.rels',
    `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', styles],
]

/** What names the sheets, `Sheet1`, `Sheet2` and so on. */
export function partsAfter(sheets: number): (readonly [name: string, xml: string])[] {
  const numbers = countTo(sheets)
  const stylesId = `rId${sheets + 1}`
  return [
    [
      '[Content_Types].xml',
      `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${numbers.map((number) => `<Override PartName="/${sheetPart(number)}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    ],
    [
      'xl/workbook.xml',
      `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${numbers.map((number) => `<sheet name="Sheet${number}" sheetId="${number}" r:id="rId${number}"/>`).join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${declaration}<Relationships xmlns="${packageRelations}">${numbers.map((number) => `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`).join('')}<Relationship Id="${stylesId}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ],
  ]
}

const widthOf: Record<ColumnKind, number> = {
  id: 24,
  text: 26,
  status: 16,
  code: 26,
  integer: 12,
  duration: 10,
  money: 14,
  dateTime: 20,
  date: 12,
}

/**
 * Start of the sheet: the first row stays in sight, every kind of column has a sensible width, and what somebody types
 * below is formatted as the rest of its column.
 */
export function sheetHeader(columns: readonly SheetColumn[]): string {
  const cols = columns
    .map(
      ({ kind }, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${widthOf[kind]}" style="${styleOf[kind]}" customWidth="1"/>`,
    )
    .join('')
  return `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols}</cols><sheetData>`
}

export const sheetFooter = '</sheetData></worksheet>'
