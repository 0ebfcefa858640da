import {
  getUploadToken,
  newPictureKey,
  pictureLimits,
  pictureTypes,
  type DataOf,
  type uploadPicture as uploadEndpoint,
} from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import { call, CallError, networkFailure, readEnvelope } from '../kit/call.ts'
import { currentLanguage } from '../kit/language.tsx'

/** What a picture is for, with what its key is named after (spec 2 §§3, 9). */
export type PictureUse = { purpose: 'banner' } | { purpose: 'portrait'; goodsId: number }

type Uploaded = DataOf<typeof uploadEndpoint>

const mark = () => [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(36)).join('')

/** What can be said of a file without sending it. */
export function faultOfChosen(file: File): string | undefined {
  if (!(pictureTypes as readonly string[]).includes(file.type))
    return translate(currentLanguage(), 'validation.pictureType')
  if (file.size > pictureLimits.bytes) return translate(currentLanguage(), 'validation.pictureTooLarge')
  return undefined
}

/**
 * Sends a picture in: asks for a token, then posts `token`, `key` and `file` to where the answer says (decisions §3).
 * @param onProgress told the part that is sent, 0 to 1
 * @throws CallError with a message at `file` when the picture itself is refused
 */
export async function sendPicture(
  file: File,
  use: PictureUse,
  { onProgress, signal }: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<Uploaded> {
  const { token, uploadUrl } = await call(getUploadToken, { purpose: use.purpose }, signal)
  const form = new FormData()
  form.append('token', token)
  form.append('key', newPictureKey(use, file.type === 'image/png' ? 'a.png' : 'a.jpg', Date.now(), mark()))
  form.append('file', file)
  return post(uploadUrl, form, onProgress, signal)
}

/** `fetch` does not tell how much has left; this does. */
function post(
  url: string,
  form: FormData,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('accept-language', currentLanguage())
    request.upload.addEventListener(
      'progress',
      ({ loaded, total }) => total > 0 && onProgress(loaded / total),
    )
    request.addEventListener('error', () => reject(networkFailure(0)))
    request.addEventListener('abort', () => reject(new CallError('', '')))
    request.addEventListener('load', () => {
      const answer = new Response(request.responseText, { status: request.status || 500 })
      readEnvelope<Uploaded>(answer).then(resolve, reject)
    })
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}
