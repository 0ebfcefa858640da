import { drawPicture } from './drawn-pictures.ts'
import { postForm } from './posted-forms.ts'
import type { TestServer } from './test-server.ts'

let uploads = 0

/** A key that no test used before. */
export const freshKey = (begin = 'banner', extension = 'jpg') =>
  `${begin}_${String(1_763_000_000_000 + uploads++)}_test.${extension}`

/** Posts a form with a file to the upload address, as a browser would. */
export const postPicture = (
  server: Pick<TestServer, 'app'>,
  fields: Record<string, string>,
  file: Uint8Array | undefined,
  language = 'en',
) =>
  postForm<{ key: string; url: string; fields: Record<string, string> }>(server, {
    path: '/api/upload',
    fields,
    file,
    language,
  })

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
