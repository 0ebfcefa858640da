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
  constructor(message: string, status: number, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

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
      throw new ObjectStoreError('the object store does not answer', 0, error)
    }
  }
  const refused = async (what: string, answer: Response) => {
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await answer.text().catch(() => '')) ?? []
    return new ObjectStoreError(
      `the object store refused to ${what}: ${answer.status} ${code}`,
      answer.status,
    )
  }
  return {
    async put(key, bytes, contentType) {
      const answer = await ask('PUT', key, bytes, contentType)
      if (!answer.ok) throw await refused('keep a file', answer)
      await answer.body?.cancel()
    },
    async get(key) {
      const answer = await ask('GET', key)
      if (answer.ok) return answer.bytes()
      if (answer.status !== 404) throw await refused('give a file', answer)
      await answer.body?.cancel()
      return undefined
    },
    async remove(key) {
      const answer = await ask('DELETE', key)
      if (!answer.ok && answer.status !== 404) throw await refused('forget a file', answer)
      await answer.body?.cancel()
    },
    // A bucket takes a file whole or not at all.
    removeUnfinished: async () => undefined,
  }
}
