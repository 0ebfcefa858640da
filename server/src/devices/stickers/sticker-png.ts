import { crc32, deflateSync } from 'node:zlib'
import { letterBox, linesOf, type Line } from './letters.ts'
import type { StickerLayout } from './sticker-layout.ts'

/** A sticker is at least this wide. */
const leastWidthPixels = 1000
const dotsPerInch = 300
const metresPerInch = 0.0254

/** Pixels beside each other, from the left and the top of a letter's box; they may stand outside of it. */
interface Run {
  row: number
  column: number
  length: number
}

/** Letters that were drawn at a size; there are 36, and few sizes. */
const drawnLetters = new Map<string, readonly Run[]>()
const mostDrawn = 1000

function squaredDistance(x: number, y: number, [[x1, y1], [x2, y2]]: Line): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length))
  return (x - x1 - along * dx) ** 2 + (y - y1 - along * dy) ** 2
}

/**
 * The dark pixels of a letter.
 * @param unit pixels in a unit of the letter's box
 */
function drawLetter(letter: string, unit: number): readonly Run[] {
  const key = `${letter} ${unit}`
  const known = drawnLetters.get(key)
  if (known) return known
  const half = letterBox.pen / 2
  const margin = Math.ceil((half + 1) * unit)
  const lines = linesOf(letter)
  const isDark = (row: number, column: number) => {
    const [x, y] = [(column + 0.5) / unit, (row + 0.5) / unit]
    return lines.some((line) => squaredDistance(x, y, line) <= half * half)
  }
  const runs: Run[] = []
  for (let row = -margin; row < letterBox.height * unit + margin; row++) {
    let length = 0
    for (let column = -margin; column <= letterBox.width * unit + margin; column++) {
      if (isDark(row, column)) length++
      else if (length > 0) {
        runs.push({ row, column: column - length, length })
        length = 0
      }
    }
  }
  if (drawnLetters.size >= mostDrawn) drawnLetters.clear()
  drawnLetters.set(key, runs)
  return runs
}

/** Used again for each sticker, which is drawn in one go: a fresh one for thousands would wait to be collected. */
let canvas = Buffer.alloc(0)

/** One bit a pixel, 1 is white; a row begins with the byte that says how it is filtered. */
class BlackOnWhite {
  readonly width: number
  readonly height: number
  readonly rowBytes: number
  readonly bytes: Buffer

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.rowBytes = 1 + Math.ceil(width / 8)
    const length = this.rowBytes * height
    if (canvas.length < length) canvas = Buffer.alloc(length)
    this.bytes = canvas.subarray(0, length).fill(0xff)
    for (let row = 0; row < height; row++) this.bytes[row * this.rowBytes] = 0
  }

  blacken({ row, column, length }: Run): void {
    if (row < 0 || row >= this.height) return
    const start = row * this.rowBytes + 1
    const end = Math.min(this.width, column + length)
    for (let pixel = Math.max(0, column); pixel < end;) {
      const at = start + (pixel >> 3)
      const isWholeByte = (pixel & 7) === 0 && pixel + 8 <= end
      this.bytes[at] = isWholeByte ? 0 : (this.bytes[at] ?? 0) & ~(0x80 >> (pixel & 7))
      pixel += isWholeByte ? 8 : 1
    }
  }

  /** Repeats a row downwards. */
  repeatRow(row: number, times: number): void {
    const from = row * this.rowBytes
    for (let next = 1; next < times; next++)
      this.bytes.copyWithin(from + next * this.rowBytes, from, from + this.rowBytes)
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(data, crc32(head.subarray(4))))
  return Buffer.concat([head, data, check])
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const compressionLevel = 6

function asPng({ width, height, bytes }: BlackOnWhite): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit a pixel, in grey.
  header[8] = 1
  const density = Buffer.alloc(9)
  const perMetre = Math.round(dotsPerInch / metresPerInch)
  density.writeUInt32BE(perMetre, 0)
  density.writeUInt32BE(perMetre, 4)
  density[8] = 1
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('pHYs', density),
    chunk('IDAT', deflateSync(bytes, { level: compressionLevel })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A sticker as PNG for print: 300 dots an inch, at least 1000 pixels wide, each module of whole pixels. */
export function stickerPng(layout: StickerLayout): Buffer {
  const module = Math.ceil(leastWidthPixels / layout.width)
  const picture = new BlackOnWhite(layout.width * module, Math.ceil(layout.height * module))
  for (let row = 0; row < layout.size; row++) {
    const top = (layout.codeAt + row) * module
    for (let column = 0; column < layout.size; column++) {
      if (layout.isDark(row, column))
        picture.blacken({ row: top, column: (layout.codeAt + column) * module, length: module })
    }
    picture.repeatRow(top, module)
  }
  const { scale, left, top } = layout.letters
  const unit = scale * module
  for (const [index, letter] of [...layout.deviceId].entries()) {
    const [right, down] = [
      Math.round(left * module + index * letterBox.advance * unit),
      Math.round(top * module),
    ]
    for (const { row, column, length } of drawLetter(letter, unit))
      picture.blacken({ row: row + down, column: column + right, length })
  }
  return asPng(picture)
}
