import { AwsClient } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { assertPlainKey, type ObjectStore } from './object-store.ts'

export interface S3Settings {
  /** Address of the bucket, in either style: `https://bucket.host` or `https://host/bucket`. */
  bucketUrl: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  timeoutMs?: number
}

/** The store did not do what it was asked; `status` is 0 when it did not answer. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError'
  readonly status: number
  /** What the store calls the reason. */
  readonly code: string
  constructor(message: string, status: number, code = '', cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.code = code
  }
}

/** Where an operator has to look, by what the store calls the reason. */
const settingsToMend: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket, see S3_BUCKET_URL',
  InvalidAccessKeyId: 'it does not know S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID',
  AuthorizationHeaderMalformed: 'S3_REGION is another than the bucket has',
  PermanentRedirect: 'the bucket is elsewhere, see S3_BUCKET_URL and S3_REGION',
  TemporaryRedirect: 'the bucket is elsewhere, see S3_BUCKET_URL and S3_REGION',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  AccessDenied: 'the key has to be allowed to read, write, delete and list in the bucket',
}

/** Kept to see whether files are kept. */
const markKey = 'chairside-check'
const mark = Buffer.from('Chairside keeps its pictures here.\n')

const timeoutMs = 15_000
const retries = 2

/** Keeps files in a bucket of any store that speaks Amazon's S3: requests carry signatures of version 4. */
export function createS3Store(settings: S3Settings): ObjectStore {
  const { accessKeyId, secretAccessKey, region } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries })
  const bucketUrl = settings.bucketUrl.replace(/\/+$/, '')

  const ask = async (method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Uint8Array, type?: string) => {
    assertPlainKey(key)
    try {
      return await client.fetch(`${bucketUrl}/${key}`, {
        method,
        // The signature holds for one address alone; what answers elsewhere may be a page for people.
        redirect: 'manual',
        ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}),
        headers: {
          ...(type ? { 'content-type': type } : {}),
          // Signed with the content, so that nobody on the way can put another picture in its place.
          'x-amz-content-sha256': createHash('sha256')
            .update(body ?? new Uint8Array())
            .digest('hex'),
        },
        signal: AbortSignal.timeout(settings.timeoutMs ?? timeoutMs),
      })
    } catch (error) {
      throw new ObjectStoreError(`the object store at ${bucketUrl} does not answer`, 0, '', error)
    }
  }
  const refused = async (what: string, answer: Response) => {
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await answer.text().catch(() => '')) ?? []
    const mend = settingsToMend[code]
    return new ObjectStoreError(
      `the object store at ${bucketUrl} refused to ${what}: ${answer.status} ${code}${mend ? `, ${mend}` : ''}`,
      answer.status,
      code,
    )
  }
  /** There is no such file, as the store itself says: an address that leads nowhere has none either. */
  const isMissing = (error: ObjectStoreError) => error.status === 404 && error.code === 'NoSuchKey'
  let isMarked = false
  const store: ObjectStore = {
    async put(key, bytes, contentType) {
      const answer = await ask('PUT', key, bytes, contentType)
      if (!answer.ok) throw await refused('keep a file', answer)
      await answer.body?.cancel()
    },
    async get(key) {
      const answer = await ask('GET', key)
      if (answer.ok) return answer.bytes()
      const refusal = await refused('give a file', answer)
      if (!isMissing(refusal)) throw refusal
      return undefined
    },
    async remove(key) {
      const answer = await ask('DELETE', key)
      if (answer.ok) {
        await answer.body?.cancel()
        return
      }
      const refusal = await refused('forget a file', answer)
      if (!isMissing(refusal)) throw refusal
    },
    // A bucket takes a file whole or not at all.
    removeUnfinished: async () => undefined,
    async check() {
      if (!isMarked) await store.put(markKey, mark, 'text/plain')
      const kept = await store.get(markKey)
      isMarked = kept !== undefined && mark.equals(kept)
      if (!isMarked)
        throw new ObjectStoreError(`what answers at ${bucketUrl} does not give back what it was given`, 200)
    },
  }
  return store
}
