import { finished, Readable } from 'node:stream'
import { columnsFor, sheetType, type Endpoint, type UserType } from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { writeSheet } from '../excel/write-sheet.ts'
import { accepted } from './envelope.ts'

/** The sheet of a list, when the caller asks for the Excel file and there is one. */
export const sheetAskedFor = (endpoint: Endpoint, request: FastifyRequest): Endpoint['sheet'] =>
  String(request.headers.accept ?? '').includes(sheetType) ? endpoint.sheet : undefined

/** All rows of a list, some at a time. */
type Rows = AsyncIterable<Record<string, unknown>[]>

/**
 * Takes the first rows before the answer begins, so that a refusal or a fault is still answered as one. When the answer is
 * over, the rows are let go of, and with them their connection to the database: whoever reads them may not have begun
 * when the caller goes away.
 */
async function primed(rows: Rows, reply: FastifyReply): Promise<Rows> {
  const iterator = rows[Symbol.asyncIterator]()
  let first: IteratorResult<Record<string, unknown>[]> | undefined = await iterator.next()
  finished(reply.raw, () => void iterator.return?.())
  const next = () => {
    const step = first
    first = undefined
    return step ? Promise.resolve(step) : iterator.next()
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

/** Answers a list as its Excel file, streamed, with the columns of who asks. */
export async function sendAsSheet(
  reply: FastifyReply,
  { fileName, columns }: NonNullable<Endpoint['sheet']>,
  rows: Rows,
  { language, timeZone, type }: { language: Language; timeZone: string; type: UserType | undefined },
): Promise<FastifyReply> {
  const sheet = writeSheet({
    columns: columnsFor(columns, type),
    rows: await primed(rows, reply),
    language,
    timeZone,
  })
  return reply.header('content-disposition', `attachment; filename="${fileName}"`).type(sheetType).send(sheet)
}

interface Page {
  /** 0 for all rows. */
  pagesize: number
  pagenum: number
}

/** One page of all rows, which are read no further than its last one, nor when nobody waits for it any more. */
async function* pageOf(
  rows: Rows,
  { pagesize, pagenum }: Page,
  reply: FastifyReply,
): AsyncGenerator<Record<string, unknown>[]> {
  let toSkip = pagesize * (pagenum - 1)
  let toTake = pagesize
  for await (const fetched of rows) {
    if (reply.raw.destroyed) return
    const taken = fetched.slice(toSkip, toSkip + toTake)
    toSkip = Math.max(0, toSkip - fetched.length)
    toTake -= taken.length
    if (taken.length > 0) yield taken
    if (toTake === 0) return
  }
}

/** What an answer has beside its rows. */
type Beside = Record<string, unknown>

/** Whether a page lies behind the last row: all of them would be read to find none. */
const isPast = ({ pagesize, pagenum }: Page, { total }: Beside = {}) =>
  typeof total === 'number' && pagesize * (pagenum - 1) >= total

async function* none(): AsyncGenerator<Record<string, unknown>[]> {}

/**
 * Answers `{list, total}` of any length in flat memory. Of all rows the total is known when the last one has left; what
 * stands beside one page of them is the same as beside a page of one row, which is asked for.
 */
export async function sendAsJson(
  reply: FastifyReply,
  { rows, page, onePage }: { rows: Rows; page: Page; onePage: (page: Page) => Promise<unknown> },
  language: Language,
): Promise<FastifyReply> {
  const isPage = page.pagesize > 0
  const beside: Beside | undefined = isPage
    ? { ...((await onePage({ pagesize: 1, pagenum: 1 })) as object), list: undefined }
    : undefined
  const [before, after] = JSON.stringify(accepted('\u0001', language)).split('"\\u0001"')
  const source = await primed(
    isPage ? pageOf(isPast(page, beside) ? none() : rows, page, reply) : rows,
    reply,
  )
  async function* text() {
    yield `${before}{"list":[`
    let sent = 0
    for await (const fetched of source) {
      if (fetched.length > 0) yield (sent === 0 ? '' : ',') + JSON.stringify(fetched).slice(1, -1)
      sent += fetched.length
    }
    yield `],${JSON.stringify(beside ?? { total: sent }).slice(1)}${after}`
  }
  return reply.type('application/json; charset=utf-8').send(Readable.from(text(), { objectMode: false }))
}
