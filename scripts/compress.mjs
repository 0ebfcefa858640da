// Compresses built files as well as can be, once, so that no visit pays for it.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const compressible = /\.(js|css|svg)$/

/** Puts a `.br` beside every file of a folder that browsers take compressed. */
export function compressFolder(folder) {
  for (const name of fs.readdirSync(folder, { recursive: true })) {
    const file = path.join(folder, name)
    if (!compressible.test(name)) continue
    fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(fs.readFileSync(file)))
  }
}
