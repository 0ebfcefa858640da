import type { Readable } from 'node:stream'
import sax from 'sax'

/** What somebody does with the parts of an XML document; names come without their prefixes. */
export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  /** Long text comes in several pieces. */
  text?(text: string): void
  close?(name: string): void
}

/** Far more than a workbook has, and too few to fill the memory. */
const mostNested = 64
const mostAttributes = 200

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Reads an XML document in UTF-8 piece by piece. One that declares types is not read: no part of a workbook does, and
 * entities of one's own are how a few bytes become gigabytes.
 * @throws Error when it is not well formed
 */
export async function readXml(source: Readable, { open, text, close }: XmlReader): Promise<void> {
  let nested = 0
  let attributes = 0
  const handlers: Partial<sax.SAXParser> = {
    onerror(error) {
      throw error
    },
    ondoctype() {
      throw new Error('a workbook declares no types')
    },
    onopentagstart() {
      attributes = 0
      if (++nested > mostNested) throw new Error('nested too deeply')
    },
    onattribute() {
      if (++attributes > mostAttributes) throw new Error('too many attributes')
    },
    onopentag: ({ name, attributes: given }) =>
      open?.(localName(name), given as Readonly<Record<string, string>>),
    ontext: (piece) => text?.(piece),
    oncdata: (piece) => text?.(piece),
    onclosetag(name) {
      nested--
      close?.(localName(name))
    },
  }
  // It counts where it is, since only then it minds that names, comments and values do not grow without end.
  const parser = Object.assign(sax.parser(true, { position: true }), handlers)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of source) parser.write(decoder.decode(chunk as Buffer, { stream: true }))
  parser.write(decoder.decode()).close()
}
