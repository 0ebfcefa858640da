import {
  getUploadToken,
  isKeyFor,
  listBannerPictures,
  listGoodsPictures,
  pictureKeys,
  pictureLimits,
  picturePurposes,
  picturesPath,
  pictureUrl,
  uploadPicture,
  type PicturePurpose,
  type PictureRow,
} from '@chairside/contract'
import { hashToken, newToken } from '../identity/tokens.ts'
import { handle, handleList, handleOutside, streamedFrom, type Call, type CallContext } from '../kit/call.ts'
import { fewAtOnce, TooManyWaitingError } from '../kit/few-at-once.ts'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import {
  countPicturesSince,
  findPictures,
  insertPicture,
  insertUploadToken,
  markStored,
  takeUploadToken,
} from './pictures-sql.ts'
import { faultOfFile, redrawPicture, type PictureFault } from './redraw-picture.ts'

const uploadPath = uploadPicture.path
const tokenSeconds = 600
const dayMs = 86_400_000

/** Decoding takes a core each; when many wait, further callers are asked to try again. */
const drawnAtOnce = 2
const mostWaiting = 30

/** Upload of pictures and what was uploaded before (decisions §3). */
export function createPictureCalls(store: ObjectStore): Call[] {
  const inTurn = fewAtOnce(drawnAtOnce, mostWaiting)
  return [
    handle(getUploadToken, giveToken),
    handleOutside(uploadPicture, (context) => takePicture(store, inTurn, context)),
    historyOf('banner', listBannerPictures),
    historyOf('portrait', listGoodsPictures),
  ]
}

async function giveToken({ db, input, caller, now, refuse }: CallContext<typeof getUploadToken>) {
  const { accountId, permissions } = caller()
  const isFor = (purpose: PicturePurpose) => pictureKeys[purpose].some((key) => permissions.has(key))
  const purpose = input.purpose ?? picturePurposes.find(isFor)
  if (purpose === undefined || !isFor(purpose)) return refuse('noAccess')
  const token = newToken()
  const expiresAt = new Date(now.getTime() + tokenSeconds * 1000)
  await insertUploadToken(db, { tokenHash: hashToken(token), accountId, purpose, expiresAt })
  return {
    token,
    bucketHost: picturesPath,
    uploadUrl: uploadPath,
    maxBytes: pictureLimits.bytes,
    expiresIn: tokenSeconds,
  }
}

type UploadContext = CallContext<typeof uploadPicture>

function refuseFault(
  { refuseField }: UploadContext,
  { fault, ...values }: PictureFault & { fault: string },
): never {
  return refuseField('file', `validation.${fault}`, values as Record<string, string | number>)
}

async function takePicture(store: ObjectStore, inTurn: ReturnType<typeof fewAtOnce>, context: UploadContext) {
  const { db, input, now, refuse, refuseField, audit, log } = context
  const { key, file } = input
  const sender = await takeUploadToken(db, hashToken(input.token), now)
  if (!sender) return refuseField('token', 'validation.uploadToken')
  audit({ target: key, by: sender })
  if (!isKeyFor(sender.purpose, key)) return refuseField('key', 'validation.pictureKey')
  const fault = faultOfFile(file)
  if (fault) return refuseFault(context, fault)
  const since = new Date(now.getTime() - dayMs)
  if ((await countPicturesSince(db, { ...sender, since })) >= pictureLimits.aDay)
    return refuse('tooManyPictures')
  const drawn = await inTurn(() => redrawPicture(file, sender.purpose, key)).catch((error: unknown) => {
    if (error instanceof TooManyWaitingError) return refuse('unavailable')
    throw error
  })
  if ('fault' in drawn) return refuseFault(context, drawn)
  const { bytes, contentType, width, height } = drawn
  const { purpose, organisationId, accountId } = sender
  // The key is taken before the bytes are stored: what is left behind by a fault has a row by which it is removed.
  if (!(await insertPicture(db, { key, purpose, organisationId, accountId, width, height })))
    return refuse('pictureExists')
  await store.put(key, bytes, contentType).catch((error: unknown) => {
    log.error({ err: error }, 'the store did not keep a picture')
    return refuse('unavailable')
  })
  await markStored(db, key)
  audit({ after: { width, height, bytes: bytes.length } })
  return { key, url: pictureUrl(key), width, height }
}

const rowOf = ({
  uploadedAt,
  ...picture
}: Omit<PictureRow, 'url' | 'uploadTime'> & { uploadedAt: Date }): PictureRow => ({
  ...picture,
  url: pictureUrl(picture.key),
  uploadTime: uploadedAt.toISOString(),
})

/** The pictures of a purpose that the caller's organisation sent in. */
function historyOf(
  purpose: PicturePurpose,
  endpoint: typeof listBannerPictures | typeof listGoodsPictures,
): Call {
  const read = async (
    { db, caller }: Pick<CallContext, 'db' | 'caller'>,
    page: { skip: number; take: number },
  ) => {
    const { organisationId } = caller()
    const { list, total } = await findPictures(db, { organisationId, purpose }, page)
    return { list: list.map(rowOf), total }
  }
  return handleList(endpoint, {
    page: (context) =>
      read(context, {
        skip: (context.input.pagenum - 1) * context.input.pagesize,
        take: context.input.pagesize,
      }),
    rows: async function* (context) {
      for (let skip = 0; ; skip += streamedFrom) {
        const { list } = await read(context, { skip, take: streamedFrom })
        yield list
        if (list.length < streamedFrom) return
      }
    },
  })
}
