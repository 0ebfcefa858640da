import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { refusalOf, type S3Keys, type S3Refusal } from './s3-signatures.ts'

/** A played store of Amazon's kind with one bucket, in memory. */
export interface S3Sandbox {
  /** Address of the bucket, with the bucket in the path. */
  bucketUrl: string
  keys: S3Keys
  files: Map<string, { bytes: Buffer; contentType: string }>
  faults: {
    /** How many requests are answered by an error of the store before it works again. */
    errors: number
    /** Takes requests and never answers. */
    isSilent: boolean
    /** How far the store's clock is ahead, in milliseconds. */
    clockMs: number
  }
  stop(): Promise<void>
}

const bucket = 'pictures'

const errorBody = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`

async function readBody(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Starts a store on a free port of this machine. */
export async function startS3Sandbox(): Promise<S3Sandbox> {
  const keys: S3Keys = {
    accessKeyId: 'AKIASANDBOX',
    secretAccessKey: 'a secret of the sandbox',
    region: 'cn-east-1',
  }
  const files: S3Sandbox['files'] = new Map()
  const faults: S3Sandbox['faults'] = { errors: 0, isSilent: false, clockMs: 0 }

  const server = http.createServer((request, response) => {
    void answer(request, response)
  })
  const refuse = (response: http.ServerResponse, { status, code }: S3Refusal) =>
    response.writeHead(status, { 'content-type': 'application/xml' }).end(errorBody(code))

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const body = await readBody(request)
    if (faults.isSilent) return
    if (faults.errors > 0) {
      faults.errors--
      refuse(response, { status: 503, code: 'SlowDown' })
      return
    }
    const refusal = refusalOf({ method, url, headers, body }, keys, Date.now() + faults.clockMs)
    if (refusal) {
      refuse(response, refusal)
      return
    }
    const [, name, key = ''] = url.split('/')
    if (name !== bucket) refuse(response, { status: 404, code: 'NoSuchBucket' })
    else if (method === 'PUT') {
      files.set(key, { bytes: body, contentType: String(headers['content-type'] ?? '') })
      response.writeHead(200).end()
    } else if (method === 'DELETE') {
      files.delete(key)
      response.writeHead(204).end()
    } else {
      const file = files.get(key)
      if (file) response.writeHead(200, { 'content-type': file.contentType }).end(file.bytes)
      else refuse(response, { status: 404, code: 'NoSuchKey' })
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    bucketUrl: `http://127.0.0.1:${port}/${bucket}`,
    keys,
    files,
    faults,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
