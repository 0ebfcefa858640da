/**
 * Bytes gathered before they leave; what is written into it may go a little over. Each chunk wakes the thread
 * that packs, which was a tenth of our own thread's time with 48 kB.
 */
export const bytesPerChunk = 240 * 1024
const capacity = 256 * 1024
/** Of a character of text in UTF-8, as JavaScript counts characters. */
const mostBytesPerCharacter = 3

/**
 * Gathers a sheet piece by piece as bytes. Text put together first and encoded then takes twice as long, since it is copied
 * once more, and Chinese doubles all of it.
 */
export class SheetBytes {
  length = 0
  #bytes = Buffer.allocUnsafe(capacity)

  add(piece: string | Buffer): void {
    const isText = typeof piece === 'string'
    this.#makeRoom(isText ? piece.length * mostBytesPerCharacter : piece.length)
    this.length += isText ? this.#bytes.write(piece, this.length) : piece.copy(this.#bytes, this.length)
  }

  /** What was gathered; it begins anew. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length)
    this.#bytes = Buffer.allocUnsafe(capacity)
    this.length = 0
    return taken
  }

  #makeRoom(bytes: number): void {
    if (this.length + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + bytes))
    this.#bytes.copy(larger, 0, 0, this.length)
    this.#bytes = larger
  }
}
