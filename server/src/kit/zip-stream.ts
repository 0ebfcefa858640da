import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'

/*
 * A zip written while its files are made, and a long file while it is written itself. Of each file only its entry in the
 * directory at the end is kept, some eighty bytes, so that hundreds of thousands of files pass in flat memory.
 */

export interface ZippedFile {
  /** Printable ASCII. */
  name: string
  /** Whole, or piece by piece. */
  content: Uint8Array | AsyncIterable<Uint8Array>
  /** Set for what is compressed already; only for what is whole. */
  isStored?: boolean
  /** From 1, the quickest, to 9. */
  level?: number
}

const version = 20
const version64 = 45
const storedMethod = 0
const deflatedMethod = 8
/** Sum and sizes stand behind the content, since they were not known before. */
const describedBehind = 8
const most16 = 0xffff
const most32 = 0xffffffff
const directoryHeaderBytes = 46
/** Of what is packed, as it is handed on. */
const bytesPerPiece = 32 * 1024

/** A moment as DOS has it, in the clock of UTC; 1 January 1980 is its first day. */
function dosMoment(at: Date): { date: number; time: number } {
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

interface WrittenFile {
  name: Buffer
  method: number
  crc: number
  packedBytes: number
  bytes: number
  flags: number
}

const fitting = (bytes: number) => Math.min(bytes, most32)

/** What the header of a file and its entry in the directory have in common. */
function describe({ name, method, crc, packedBytes, bytes, flags }: WrittenFile, at: Date): Buffer {
  const { date, time } = dosMoment(at)
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(version, 0)
  shared.writeUInt16LE(flags, 2)
  shared.writeUInt16LE(method, 4)
  shared.writeUInt16LE(time, 6)
  shared.writeUInt16LE(date, 8)
  shared.writeUInt32LE(crc, 10)
  shared.writeUInt32LE(fitting(packedBytes), 14)
  shared.writeUInt32LE(fitting(bytes), 18)
  shared.writeUInt16LE(name.length, 22)
  return shared
}

const mark = (signature: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(signature)
  return bytes
}

function directoryEntry(file: WrittenFile, offset: number, at: Date): Buffer {
  // Figures that have no room in the entry stand behind it, in this order.
  const large = [file.bytes, file.packedBytes, offset].filter((figure) => figure >= most32)
  const extra = Buffer.alloc(large.length > 0 ? 4 + 8 * large.length : 0)
  if (large.length > 0) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8 * large.length, 2)
    for (const [index, figure] of large.entries()) extra.writeBigUInt64LE(BigInt(figure), 4 + 8 * index)
  }
  const shared = describe(file, at)
  shared.writeUInt16LE(extra.length, 24)
  const rest = Buffer.alloc(directoryHeaderBytes - 6 - shared.length)
  rest.writeUInt32LE(fitting(offset), rest.length - 4)
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(version64)
  return Buffer.concat([mark(0x02014b50), madeBy, shared, rest, file.name, extra])
}

/** Sum and sizes of a file whose header could not tell them. */
function descriptor({ crc, packedBytes, bytes }: WrittenFile): Buffer {
  const isLarge = bytes >= most32 || packedBytes >= most32
  const figures = Buffer.alloc(isLarge ? 20 : 12)
  figures.writeUInt32LE(crc, 0)
  if (isLarge) {
    figures.writeBigUInt64LE(BigInt(packedBytes), 4)
    figures.writeBigUInt64LE(BigInt(bytes), 12)
  } else {
    figures.writeUInt32LE(packedBytes, 4)
    figures.writeUInt32LE(bytes, 8)
  }
  return Buffer.concat([mark(0x08074b50), figures])
}

/** The end of the directory, in its large form when the small one has no room for the figures. */
function ending(files: number, directoryBytes: number, directoryAt: number): Buffer {
  const isLarge = files >= most16 || directoryBytes >= most32 || directoryAt >= most32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(files, most16), 8)
  end.writeUInt16LE(Math.min(files, most16), 10)
  end.writeUInt32LE(Math.min(directoryBytes, most32), 12)
  end.writeUInt32LE(Math.min(directoryAt, most32), 16)
  if (!isLarge) return end
  const large = Buffer.alloc(56)
  large.writeUInt32LE(0x06064b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(version64, 12)
  large.writeUInt16LE(version64, 14)
  large.writeBigUInt64LE(BigInt(files), 24)
  large.writeBigUInt64LE(BigInt(files), 32)
  large.writeBigUInt64LE(BigInt(directoryBytes), 40)
  large.writeBigUInt64LE(BigInt(directoryAt), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(directoryAt + directoryBytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([large, locator, end])
}

/** Entries one behind the other: a small buffer kept for each would keep alive the slab that it was cut from. */
class Directory {
  entries = 0
  length = 0
  #bytes = Buffer.alloc(64 * 1024)

  add(entry: Buffer): void {
    if (this.length + entry.length > this.#bytes.length) {
      const larger = Buffer.alloc(this.#bytes.length * 2)
      this.#bytes.copy(larger)
      this.#bytes = larger
    }
    entry.copy(this.#bytes, this.length)
    this.length += entry.length
    this.entries++
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }
}

const header = (file: WrittenFile, at: Date) =>
  Buffer.concat([mark(0x04034b50), describe(file, at), file.name])

function writeWhole({ name, isStored = false, level = 6 }: ZippedFile, content: Uint8Array, at: Date) {
  const packed = isStored ? content : deflateRawSync(content, { level })
  const file: WrittenFile = {
    name: Buffer.from(name, 'latin1'),
    method: isStored ? storedMethod : deflatedMethod,
    crc: crc32(content),
    packedBytes: packed.length,
    bytes: content.length,
    flags: 0,
  }
  return { file, bytes: Buffer.concat([header(file, at), packed]) }
}

/** Yields a file that is compressed while its pieces come, in another thread; returns what it came to. */
async function* writePieces(
  { name, level = 6 }: ZippedFile,
  pieces: AsyncIterable<Uint8Array>,
  at: Date,
): AsyncGenerator<Buffer, WrittenFile> {
  const file: WrittenFile = {
    name: Buffer.from(name, 'latin1'),
    method: deflatedMethod,
    crc: 0,
    packedBytes: 0,
    bytes: 0,
    flags: describedBehind,
  }
  yield header(file, at)
  async function* counted() {
    for await (const piece of pieces) {
      file.crc = crc32(piece, file.crc)
      file.bytes += piece.length
      yield piece
    }
  }
  const packing = pipeline(
    Readable.from(counted(), { objectMode: false }),
    createDeflateRaw({ level, chunkSize: 64 * 1024 }),
    // What goes wrong with the pieces is met by whoever reads what is packed.
    () => undefined,
  )
  // What is packed comes in crumbs, each of which would be a chunk of the answer.
  let crumbs: Buffer[] = []
  let crumbBytes = 0
  for await (const packed of packing as AsyncIterable<Buffer>) {
    file.packedBytes += packed.length
    crumbs.push(packed)
    crumbBytes += packed.length
    if (crumbBytes < bytesPerPiece) continue
    yield Buffer.concat(crumbs)
    crumbs = []
    crumbBytes = 0
  }
  yield Buffer.concat(crumbs)
  yield descriptor(file)
  return file
}

/** Yields the zip of files, each as soon as it is made. */
export async function* zipOf(
  files: AsyncIterable<ZippedFile> | Iterable<ZippedFile>,
  at: Date,
): AsyncGenerator<Buffer> {
  const directory = new Directory()
  let offset = 0
  for await (const described of files) {
    const { content } = described
    let written: WrittenFile
    let length: number
    if (content instanceof Uint8Array) {
      const { file, bytes } = writeWhole(described, content, at)
      yield bytes
      written = file
      length = bytes.length
    } else {
      written = yield* writePieces(described, content, at)
      length = header(written, at).length + written.packedBytes + descriptor(written).length
    }
    directory.add(directoryEntry(written, offset, at))
    offset += length
  }
  yield directory.bytes()
  yield ending(directory.entries, directory.length, offset)
}
