import path from 'node:path'
import { SheetFault } from './sheet-fault.ts'
import { readXml } from './read-xml.ts'
import type { WorkbookZip } from './workbook-zip.ts'

interface Relation {
  id: string
  /** The last part of its type, the same in both editions of the standard. */
  type: string
  target: string
}

/** What a part refers to, with the names of the parts. */
async function readRelations(zip: WorkbookZip, folder: string, name: string): Promise<Relation[]> {
  const relations: Relation[] = []
  const source = await zip.open(path.posix.join(folder, '_rels', `${name}.rels`))
  if (!source) return relations
  await readXml(source, {
    open(element, { Id = '', Type = '', Target = '' }) {
      if (element === 'Relationship')
        relations.push({
          id: Id,
          type: path.posix.basename(Type),
          target: path.posix.join(Target.startsWith('/') ? '' : folder, Target),
        })
    },
  })
  return relations
}

/** Where the parts are that hold the rows of a workbook. */
export interface WorkbookLayout {
  sheet: string
  sharedStrings: string | undefined
  styles: string | undefined
  /** Days count from 1904, as old versions for the Mac have it. */
  countsFrom1904: boolean
}

/** A reference of a sheet to its part has a prefix of the file's own choice. */
const referenceOf = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]

/**
 * Finds the first sheet that is not hidden.
 * @throws SheetFault when it is another kind of zip
 */
export async function readWorkbook(zip: WorkbookZip): Promise<WorkbookLayout> {
  const roots = await readRelations(zip, '', '')
  const workbook = roots.find(({ type }) => type === 'officeDocument')?.target
  const source = workbook === undefined || workbook.endsWith('.bin') ? undefined : await zip.open(workbook)
  if (workbook === undefined || !source) throw new SheetFault('notExcel')
  const shown: string[] = []
  let countsFrom1904 = false
  await readXml(source, {
    open(name, attributes) {
      if (name === 'workbookPr') countsFrom1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet' || (attributes['state'] ?? 'visible') !== 'visible') return
      shown.push(referenceOf(attributes) ?? '')
    },
  })
  const parts = await readRelations(zip, path.posix.dirname(workbook), path.posix.basename(workbook))
  const partOf = (type: string) => parts.find((part) => part.type === type && zip.has(part.target))?.target
  // Looked up, not searched for: a small file can name hundreds of thousands of both. The first of an id counts.
  const sheets = parts.filter(({ type }) => type === 'worksheet').toReversed()
  const targets = new Map(sheets.map(({ id, target }) => [id, target]))
  const first = shown.find((id) => targets.has(id))
  const sheet = first === undefined ? undefined : targets.get(first)
  if (sheet === undefined) throw new SheetFault('notExcel')
  return { sheet, sharedStrings: partOf('sharedStrings'), styles: partOf('styles'), countsFrom1904 }
}
