import { pictureKeyPattern, picturesPath } from '@chairside/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import path from 'node:path'
import { createDiskStore } from '../kit/object-store/disk-store.ts'
import { createS3Store } from '../kit/object-store/s3-store.ts'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import { answerUnknownPath } from '../kit/door/web-app.ts'

/** Where pictures are kept: a bucket when one is set, else a folder that the processes of one machine share. */
export function openPictureStore({ s3, dataDirectory }: Pick<Config, 's3' | 'dataDirectory'>): ObjectStore {
  return s3 ? createS3Store(s3) : createDiskStore(path.join(dataDirectory, 'pictures'))
}

const yearSeconds = 31_536_000

/** Serves pictures, wherever they are kept: what has a key never changes, and is nothing but a picture. */
export function mountPictures(app: FastifyInstance, store: ObjectStore): void {
  app.get<{ Params: { key: string } }>(`${picturesPath}:key`, async (request, reply) => {
    const { key } = request.params
    const bytes = pictureKeyPattern.test(key) ? await store.get(key) : undefined
    if (!bytes) return answerUnknownPath(request, reply.header('cache-control', 'no-store'))
    return (
      reply
        .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
        .header('content-security-policy', "default-src 'none'")
        .header('x-content-type-options', 'nosniff')
        // Shown to everybody; the console's preview, in its sandbox, is a stranger.
        .header('cross-origin-resource-policy', 'cross-origin')
        .type(/\.png$/i.test(key) ? 'image/png' : 'image/jpeg')
        .send(Buffer.from(bytes))
    )
  })
}
