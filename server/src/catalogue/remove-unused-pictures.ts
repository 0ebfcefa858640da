import { z } from 'zod'
import { handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import { deleteExpiredUploadTokens, deletePictures, markUnused } from './pictures-sql.ts'

const removeUnused = jobKind('catalogue:remove-unused-pictures', z.unknown())

const keptMs = 86_400_000
const atOnce = 500

/** Removes pictures that were sent in a day ago and that nothing ever showed; the bytes first, their rows after them. */
export const createPictureJobs = (store: ObjectStore): JobHandler[] => [
  handleJob(removeUnused, async ({ db }) => {
    const now = new Date()
    await deleteExpiredUploadTokens(db, now)
    for (;;) {
      const keys = await markUnused(db, new Date(now.getTime() - keptMs), atOnce)
      for (const key of keys) await store.remove(key)
      await deletePictures(db, keys)
      if (keys.length < atOnce) return
    }
  }),
]

/** Every hour. */
export const pictureCrontab = '23 * * * * catalogue:remove-unused-pictures'
