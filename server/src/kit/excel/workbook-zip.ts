import type { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { SheetFault, tooLargeUnpacked } from './sheet-fault.ts'

/** A workbook has a dozen parts, one with many sheets and drawings some hundreds. */
const mostParts = 1000
const zipMark = Buffer.from('PK\u0003\u0004', 'latin1')
/** What both old workbooks and encrypted ones begin with. */
const compoundMark = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** The parts of a workbook, opened one by one. */
export interface WorkbookZip {
  has(name: string): boolean
  /** The bytes of a part, undefined when there is none; their number counts towards what may be unpacked in all. */
  open(name: string): Promise<Readable | undefined>
}

const beginsWith = (file: Buffer, mark: Buffer) => file.subarray(0, mark.length).equals(mark)

/** Names of parts are compared without case. */
const keyOf = (name: string) => name.toLowerCase().replace(/^\//, '')

/**
 * Opens the zip around a workbook. Nothing is unpacked before it is known how large it says it is, and no part gives a
 * byte more than that.
 * @throws SheetFault
 */
export async function openWorkbookZip(file: Buffer, mostUnpackedBytes: number): Promise<WorkbookZip> {
  if (beginsWith(file, compoundMark)) throw new SheetFault('oldExcel')
  if (!beginsWith(file, zipMark)) throw new SheetFault('notExcel')
  const zip = await yauzl.fromBufferPromise(file)
  if (zip.entryCount > mostParts) throw new SheetFault('broken')
  const entries = new Map<string, yauzl.Entry>()
  for await (const entry of zip.eachEntry()) entries.set(keyOf(entry.fileName), entry)
  let unpackedBytes = 0
  return {
    has: (name) => entries.has(keyOf(name)),
    async open(name) {
      const entry = entries.get(keyOf(name))
      if (!entry) return undefined
      unpackedBytes += entry.uncompressedSize
      if (unpackedBytes > mostUnpackedBytes) throw tooLargeUnpacked(mostUnpackedBytes)
      return zip.openReadStreamPromise(entry)
    },
  }
}
