import { pictureKeyPattern, picturesPath } from '@chairside/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import path from 'node:path'
import { createDiskStore } from '../kit/object-store/disk-store.ts'
import { createS3Store } from '../kit/object-store/s3-store.ts'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import { answerUnknownPath, UnavailableError } from '../kit/door/web-app.ts'
import { createLimitedLog } from '../kit/limited-log.ts'

/** Where pictures are kept: a bucket when one is set, else a folder that the processes of one machine share. */
export function openPictureStore({ s3, dataDirectory }: Pick<Config, 's3' | 'dataDirectory'>): ObjectStore {
  return s3 ? createS3Store(s3) : createDiskStore(path.join(dataDirectory, 'pictures'))
}

/** How a JPG and a PNG begin and end. */
const outlines = [
  ['ffd8ff', 'ffd9'],
  ['89504e470d0a1a0a', '49454e44ae426082'],
].map(([start = '', end = '']) => ({ start: Buffer.from(start, 'hex'), end: Buffer.from(end, 'hex') }))

/** Whether it is a picture as we had it kept: a page of a proxy that stands before the store is none, nor is half of one. */
function isWholePicture(bytes: Buffer): boolean {
  return outlines.some(
    ({ start, end }) =>
      bytes.subarray(0, start.length).equals(start) && bytes.subarray(-end.length).equals(end),
  )
}

const yearSeconds = 31_536_000

/** Serves pictures, wherever they are kept: what has a key never changes, and is nothing but a picture. */
export function mountPictures(app: FastifyInstance, store: ObjectStore): void {
  const limitedLog = createLimitedLog(app.log)
  /** That there is none is the store's word alone: one that is away has not said so. */
  const find = async (key: string) => {
    try {
      const bytes = await store.get(key)
      const picture = bytes && Buffer.from(bytes)
      if (picture && !isWholePicture(picture)) throw new Error(`what is kept as ${key} is no picture`)
      return picture
    } catch (error) {
      limitedLog.warn('pictures.away', { err: error }, 'pictures cannot be shown')
      throw new UnavailableError()
    }
  }
  app.get<{ Params: { key: string } }>(`${picturesPath}:key`, async (request, reply) => {
    const { key } = request.params
    reply.header('cache-control', 'no-store')
    const picture = pictureKeyPattern.test(key) ? await find(key) : undefined
    if (!picture) return answerUnknownPath(request, reply)
    return (
      reply
        .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
        .header('content-security-policy', "default-src 'none'")
        .header('x-content-type-options', 'nosniff')
        // Shown to everybody; the console's preview, in its sandbox, is a stranger.
        .header('cross-origin-resource-policy', 'cross-origin')
        .type(/\.png$/i.test(key) ? 'image/png' : 'image/jpeg')
        .send(picture)
    )
  })
}
