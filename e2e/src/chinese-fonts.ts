import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import zlib from 'node:zlib'

// Beside the machine's own fonts, for emoji and what else it may have.
const configuration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">.</dir>
</fontconfig>
`

const weights = [400, 500, 600, 700]

/**
 * Lays out Noto Sans SC so that a browser finds it as it finds a font of the system: bare machines have no Chinese
 * glyphs, and the product names fonts but ships none. Only the files change, no page.
 * The folder gets the fonts and `fonts.conf`, for FONTCONFIG_FILE.
 */
export function layOutChineseFonts(folder: string): void {
  const package_ = path.dirname(
    createRequire(import.meta.url).resolve('@fontsource/noto-sans-sc/package.json'),
  )
  for (const weight of weights) {
    const name = `noto-sans-sc-chinese-simplified-${weight}-normal`
    fs.writeFileSync(
      path.join(folder, `${name}.ttf`),
      unpackWoff(fs.readFileSync(path.join(package_, 'files', `${name}.woff`))),
    )
  }
  fs.writeFileSync(path.join(folder, 'fonts.conf'), configuration)
}

/** A WOFF 1.0 file is an OpenType file whose tables are deflated one by one; fontconfig wants them plain. */
function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF 1.0 font')
  const count = woff.readUInt16BE(12)
  const directory = Buffer.alloc(12 + 16 * count)
  const power = Math.floor(Math.log2(count))
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  directory.writeUInt16BE(16 * 2 ** power, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE(16 * (count - 2 ** power), 10)
  const tables: Buffer[] = []
  let offset = directory.length
  for (let index = 0; index < count; index++) {
    const entry = 44 + 20 * index
    const start = woff.readUInt32BE(entry + 4)
    const packed = woff.subarray(start, start + woff.readUInt32BE(entry + 8))
    const length = woff.readUInt32BE(entry + 12)
    const table = packed.length === length ? packed : zlib.inflateSync(packed)
    const target = 12 + 16 * index
    woff.copy(directory, target, entry, entry + 4)
    directory.writeUInt32BE(woff.readUInt32BE(entry + 16), target + 4)
    directory.writeUInt32BE(offset, target + 8)
    directory.writeUInt32BE(length, target + 12)
    const padding = (4 - (length % 4)) % 4
    tables.push(table, Buffer.alloc(padding))
    offset += length + padding
  }
  return Buffer.concat([directory, ...tables])
}
