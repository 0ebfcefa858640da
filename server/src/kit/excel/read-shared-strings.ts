import type { Readable } from 'node:stream'
import { readXml } from './read-xml.ts'

/** Characters that XML does not allow are written in a workbook as `_x000D_`. */
export const unescapeCharacters = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))

/** The texts that cells name by their number; how they are pronounced is left out. */
export async function readSharedStrings(source: Readable): Promise<string[]> {
  const strings: string[] = []
  let current = ''
  let isInText = false
  let isPhonetic = false
  await readXml(source, {
    open(name) {
      if (name === 'si') current = ''
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't') isInText = !isPhonetic
    },
    text(piece) {
      if (isInText) current += piece
    },
    close(name) {
      if (name === 't') isInText = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'si') strings.push(unescapeCharacters(current))
    },
  })
  return strings
}
