import { z } from 'zod'
import type { Database } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { findNamesWithoutInitials, storeInitials } from './name-initials-sql.ts'

const writeInitials = jobKind('organisations:write-initials', z.unknown())
const namesAtOnce = 500

/** Asks for the initials of names that have none; once is enough for all that are new by then. */
export const askForInitials = (db: Database): Promise<void> =>
  addJob(db, writeInitials, {}, { key: writeInitials.name })

/** Small letters and digits of a name, of each Chinese word the first letter of its pinyin. */
async function readerOfInitials(): Promise<(name: string) => string> {
  // Its dictionary takes 30 MB, and names are new seldom.
  const { pinyin } = await import('pinyin-pro')
  return (name) =>
    pinyin(name.normalize('NFKC'), {
      pattern: 'first',
      toneType: 'none',
      type: 'array',
      nonZh: 'consecutive',
    })
      .join('')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
}

/** Writes the initials of all names that have none. */
export async function writeNameInitials(db: Database): Promise<void> {
  let names = await findNamesWithoutInitials(db, namesAtOnce)
  if (names.length === 0) return
  const initialsOf = await readerOfInitials()
  for (; names.length > 0; names = await findNamesWithoutInitials(db, namesAtOnce))
    await storeInitials(
      db,
      names.map(({ id, name }) => ({ id, name, initials: initialsOf(name) })),
    )
}

export const organisationJobs: JobHandler[] = [handleJob(writeInitials, ({ db }) => writeNameInitials(db))]
