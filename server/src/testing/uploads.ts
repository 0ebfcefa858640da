import type { Envelope } from '@chairside/contract'
import { drawPicture } from './drawn-pictures.ts'
import type { TestServer } from './test-server.ts'

let uploads = 0

/** A key that no test used before. */
export const freshKey = (begin = 'banner', extension = 'jpg') =>
  `${begin}_${String(1_763_000_000_000 + uploads++)}_test.${extension}`

/** Posts a form with a file to the upload address, as a browser would. */
export async function postPicture(
  server: Pick<TestServer, 'app'>,
  fields: Record<string, string>,
  file: Uint8Array | undefined,
  language = 'en',
): Promise<{ status: number; body: Envelope<{ key: string; url: string; fields: Record<string, string> }> }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'whatever.exe')
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: form })
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/upload',
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      'accept-language': language,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** A token for one picture of a purpose. */
export async function uploadTokenOf(server: TestServer, token: string, purpose = 'banner'): Promise<string> {
  const { body } = await server.call<{ token: string }>('GET', `/api/upload/token?purpose=${purpose}`, {
    token,
  })
  return body.data.token
}

/** Sends a banner picture in and gives its key. */
export async function sendBanner(server: TestServer, token: string, key = freshKey()): Promise<string> {
  const { body } = await postPicture(
    server,
    { token: await uploadTokenOf(server, token), key },
    await drawPicture(720, 350),
  )
  if (!body.success) throw new Error(`the picture was refused: ${JSON.stringify(body)}`)
  return body.data.key
}
