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
  const parser = sax.parser(true, { position: false })
  let nested = 0
  let attributes = 0
  parser.onerror = (error) => {
    throw error
  }
  parser.ondoctype = () => {
    throw new Error('a workbook declares no types')
  }
  parser.onopentagstart = () => {
    attributes = 0
    if (++nested > mostNested) throw new Error('nested too deeply')
  }
  parser.onattribute = () => {
    if (++attributes > mostAttributes) throw new Error('too many attributes')
  }
  parser.onopentag = ({ name, attributes: given }) =>
    open?.(localName(name), given as Readonly<Record<string, string>>)
  parser.ontext = (piece) => text?.(piece)
  parser.oncdata = (piece) => text?.(piece)
  parser.onclosetag = (name) => {
    nested--
    close?.(localName(name))
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of source) parser.write(decoder.decode(chunk as Buffer, { stream: true }))
  parser.write(decoder.decode()).close()
}
