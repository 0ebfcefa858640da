import type { Envelope } from '@chairside/contract'
import type { TestServer } from './test-server.ts'

export interface PostedForm {
  path: string
  fields?: Record<string, string>
  file?: Uint8Array | undefined
  token?: string | undefined
  language?: string
}

/** Posts a multipart form with a file, as a browser would. */
export async function postForm<Data>(
  { app }: Pick<TestServer, 'app'>,
  { path, fields = {}, file, token, language = 'en' }: PostedForm,
): Promise<{ status: number; body: Envelope<Data> }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'whatever.exe')
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: form })
  const answer = await app.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      'accept-language': language,
      ...(token === undefined ? {} : { 'x-access-token': token }),
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() }
}
