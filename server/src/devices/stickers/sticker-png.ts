import { crc32, deflateSync } from 'node:zlib'
import { letterBox, linesOf, type Line } from './letters.ts'
import type { StickerLayout } from './sticker-layout.ts'

/** A sticker is at least this wide. */
const leastWidthPixels = 1000
const dotsPerInch = 300
const metresPerInch = 0.0254

/** Dark pixels of a letter at a size, row by row from its box, with the pen's half width around it. */
interface DrawnLetter {
  left: number
  top: number
  width: number
  height: number
  dark: Uint8Array
}

/** Letters that were drawn at a size; there are 36, and few sizes. */
const drawnLetters = new Map<string, DrawnLetter>()
const mostDrawn = 1000

function squaredDistance(x: number, y: number, [[x1, y1], [x2, y2]]: Line): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length))
  return (x - x1 - along * dx) ** 2 + (y - y1 - along * dy) ** 2
}

/** @param unit pixels in a unit of the letter's box */
function drawLetter(letter: string, unit: number): DrawnLetter {
  const key = `${letter} ${unit}`
  const known = drawnLetters.get(key)
  if (known) return known
  const half = letterBox.pen / 2
  const margin = Math.ceil((half + 1) * unit)
  const width = Math.ceil(letterBox.width * unit) + 2 * margin
  const height = Math.ceil(letterBox.height * unit) + 2 * margin
  const lines = linesOf(letter)
  const dark = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [(column + 0.5 - margin) / unit, (row + 0.5 - margin) / unit]
      if (lines.some((line) => squaredDistance(x, y, line) <= half * half)) dark[row * width + column] = 1
    }
  }
  const drawn = { left: -margin, top: -margin, width, height, dark }
  if (drawnLetters.size >= mostDrawn) drawnLetters.clear()
  drawnLetters.set(key, drawn)
  return drawn
}

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
    this.bytes = Buffer.alloc(this.rowBytes * height, 0xff)
    for (let row = 0; row < height; row++) this.bytes[row * this.rowBytes] = 0
  }

  blacken(row: number, column: number): void {
    if (row < 0 || column < 0 || row >= this.height || column >= this.width) return
    const at = row * this.rowBytes + 1 + (column >> 3)
    this.bytes[at] = (this.bytes[at] ?? 0) & ~(0x80 >> (column & 7))
  }

  /** Repeats a row downwards. */
  repeatRow(row: number, times: number): void {
    const from = row * this.rowBytes
    for (let next = 1; next < times; next++)
      this.bytes.copy(this.bytes, from + next * this.rowBytes, from, from + this.rowBytes)
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
      if (!layout.isDark(row, column)) continue
      const left = (layout.codeAt + column) * module
      for (let pixel = left; pixel < left + module; pixel++) picture.blacken(top, pixel)
    }
    picture.repeatRow(top, module)
  }
  const unit = layout.letters.scale * module
  for (const [index, letter] of [...layout.deviceId].entries()) {
    const drawn = drawLetter(letter, unit)
    const left = Math.round(layout.letters.left * module + index * letterBox.advance * unit) + drawn.left
    const top = Math.round(layout.letters.top * module) + drawn.top
    for (let at = 0; at < drawn.dark.length; at++)
      if (drawn.dark[at] === 1) picture.blacken(top + Math.floor(at / drawn.width), left + (at % drawn.width))
  }
  return asPng(picture)
}
