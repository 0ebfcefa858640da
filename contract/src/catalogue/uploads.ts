import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { choice, filter, instant, listOf, pagingBy, text } from '../kit/fields.ts'
import type { PermissionKey } from '../permissions.ts'
import {
  historyPageSize,
  pictureKeyPattern,
  pictureLimits,
  picturePurposes,
  type PicturePurpose,
} from './pictures.ts'

/** Keys of the buttons whose forms have pictures. */
export const pictureKeys = {
  banner: ['banner.edit', 'banner.change', 'banner.time', 'banner.upload'],
  portrait: ['goods.modify'],
} as const satisfies Record<PicturePurpose, readonly PermissionKey[]>

/** Allows one picture to be sent in, soon and once (decisions §3). */
export const getUploadToken = endpoint({
  verb: 'GET',
  path: '/api/upload/token',
  summary: 'A token to send one picture in with, and where to send it',
  needs: [...pictureKeys.banner, ...pictureKeys.portrait],
  perMinute: 120,
  input: z.object({ purpose: filter(choice(picturePurposes)) }),
  data: z.object({
    token: z.string(),
    /** What comes before a key in a picture's address. */
    bucketHost: z.string(),
    /** Where `token`, `key` and `file` are posted as a form. */
    uploadUrl: z.string(),
    maxBytes: z.int(),
    /** Seconds until the token expires. */
    expiresIn: z.int(),
  }),
  refuses: ['noAccess'],
})

/**
 * Takes a picture in: JPG or PNG by its bytes, at most 2 MB, a banner of 720 by 350 pixels. What is kept is drawn anew
 * from the pixels, in the format of the key's extension. A token is used up by whatever is sent with it.
 */
export const uploadPicture = endpoint({
  verb: 'POST',
  path: '/api/upload',
  summary: 'Takes in a picture, as a multipart form',
  open: 'the token says who sends it',
  audit: 'picture.upload',
  perMinute: 240,
  takesFile: { field: 'file', maxBytes: pictureLimits.bytes },
  input: z.object({
    token: text(200),
    key: z.string({ error: 'pictureKey' }).regex(pictureKeyPattern, { error: 'pictureKey' }),
    file: z.custom<Uint8Array>((value) => value instanceof Uint8Array, { error: 'fileMissing' }),
  }),
  data: z.object({ key: z.string(), url: z.string(), width: z.int(), height: z.int() }),
  refuses: ['pictureExists', 'tooManyPictures', 'unavailable'],
})

/** A picture that was sent in before. */
export const PictureRow = z.object({
  key: z.string(),
  url: z.string(),
  width: z.int(),
  height: z.int(),
  uploadTime: instant,
})
export type PictureRow = z.output<typeof PictureRow>

const history = {
  input: z.object(pagingBy(historyPageSize)),
  data: listOf(PictureRow),
  refuses: [],
} as const

export const listBannerPictures = endpoint({
  verb: 'GET',
  path: '/api/goodsbanners',
  summary: 'Banner pictures that one’s own organisation sent in, newest first',
  needs: [...pictureKeys.banner],
  ...history,
})

export const listGoodsPictures = endpoint({
  verb: 'GET',
  path: '/api/goodsportraits',
  summary: 'Pictures of goods that one’s own organisation sent in, newest first',
  needs: [...pictureKeys.portrait],
  ...history,
})

export const pictureCalls = { getUploadToken, uploadPicture, listBannerPictures, listGoodsPictures }
