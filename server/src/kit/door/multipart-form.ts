import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { isOfOwnNetwork, Strangers } from '../strangers.ts'

/** What a call takes beside text, as its endpoint declares it. */
interface TakesFile {
  field: string
  maxBytes: number
  /** Whether somebody sends it who is signed in; where a call is open, everybody is a stranger. */
  isWelcome?(request: FastifyRequest): Promise<boolean>
}

/**
 * A form is kept in memory while it comes, for as long as a slow line takes: of strangers only so many at once, or
 * anybody who sends many and ends none would fill it.
 */
const strangerLimits = { strangers: 60, strangersOfOneAddress: 10, mayBeProxy: isOfOwnNetwork }

/** A form longer than this is not even read through to say what is wrong with it. */
const mostBytes = 32 * 1024 * 1024
const mostFields = 20
const longestField = 10_000

/** Code of a body that is no multipart form. */
export const notAFormCode = 'NOT_A_FORM'

const fault = (statusCode: number, code: string) => Object.assign(new Error(code), { statusCode, code })

/**
 * Reads multipart forms for the calls that take a file; all others refuse the media type. A file that is too long is
 * read to its end, so that the browser hears the answer, and arrives cut off one byte past what is allowed. What nobody
 * may send who is not signed in is read past, and arrives empty.
 */
export function readMultipartForms(app: FastifyInstance): void {
  const strangers = new Strangers(strangerLimits)
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, body: IncomingMessage) => {
    const { takesFile } = request.routeOptions.config
    if (!takesFile) throw fault(415, 'UNSUPPORTED_MEDIA_TYPE')
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw fault(413, 'BODY_TOO_LARGE')
    const { socket } = request.raw
    const isKept = takesFile.isWelcome ? await takesFile.isWelcome(request) : strangers.add(socket)
    const fields = await readForm(request, body, takesFile, isKept).finally(() => strangers.delete(socket))
    if (!isKept && !takesFile.isWelcome) throw fault(429, 'TOO_MANY_FORMS')
    return fields
  })
}

function readForm(
  request: FastifyRequest,
  body: IncomingMessage,
  takesFile: TakesFile,
  isKept: boolean,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, unknown> = Object.create(null)
    let received = 0
    const form = openForm(request, takesFile)
    const giveUp = (error: Error) => {
      body.unpipe(form)
      body.resume()
      reject(error)
    }
    body.on('data', ({ length }: Buffer) => {
      received += length
      if (received > mostBytes) giveUp(fault(413, 'BODY_TOO_LARGE'))
    })
    body.on('aborted', () => giveUp(fault(400, notAFormCode)))
    form.on('field', (name, value) => {
      if (isKept) fields[name] = value
    })
    form.on('file', (name, file) => {
      const chunks: Buffer[] = []
      // A form that breaks off in its file is told here too, and a stream nobody listens to ends the process.
      file.on('error', () => giveUp(fault(400, notAFormCode)))
      file.on('data', (chunk: Buffer) => isKept && chunks.push(chunk))
      file.on('end', () => {
        if (isKept && name === takesFile.field) fields[name] = Buffer.concat(chunks)
      })
    })
    form.on('finish', () => resolve(fields))
    form.on('error', () => giveUp(fault(400, notAFormCode)))
    body.pipe(form)
  })
}

function openForm(request: FastifyRequest, { maxBytes }: TakesFile): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        fields: mostFields,
        fieldSize: longestField,
        files: 1,
        fileSize: maxBytes + 1,
        parts: mostFields + 1,
      },
    })
  } catch {
    throw fault(400, notAFormCode)
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    takesFile?: TakesFile
  }
}
