import { z } from 'zod'
import { handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import { deleteExpiredUploadTokens, deletePictures, markUnused, noteShownPictures } from './pictures-sql.ts'

const removeUnused = jobKind('catalogue:remove-unused-pictures', z.unknown())

const dayMs = 86_400_000
/** How long a picture is kept that nothing has ever shown. */
const unusedMs = dayMs
/** How long one is kept that nothing shows any more: last year's for the same festival is still there. */
const outOfUseMs = 400 * dayMs
/** How long an upload may take at most; what is left behind after that belongs to a process that died. */
const unfinishedMs = dayMs
const atOnce = 500

/** Removes pictures that nothing showed for long; the bytes first, their rows after them. */
export const createPictureJobs = (store: ObjectStore): JobHandler[] => [
  handleJob(removeUnused, async ({ db }) => {
    const now = new Date()
    const before = (ms: number) => new Date(now.getTime() - ms)
    await deleteExpiredUploadTokens(db, now)
    await store.removeUnfinished(before(unfinishedMs))
    await noteShownPictures(db, before(dayMs))
    for (;;) {
      const keys = await markUnused(
        db,
        { sentBefore: before(unusedMs), usedBefore: before(outOfUseMs) },
        atOnce,
      )
      for (const key of keys) await store.remove(key)
      await deletePictures(db, keys)
      if (keys.length < atOnce) return
    }
  }),
]

/** Every hour. */
export const pictureCrontab = '23 * * * * catalogue:remove-unused-pictures'
