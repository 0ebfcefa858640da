import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { assertPlainKey, type ObjectStore } from './object-store.ts'

/** A file that is being written; its process may die before it is whole. */
const partName = () => `.${randomUUID()}.part`
const isPart = (name: string) => /^\.[0-9a-f-]{36}\.part$/.test(name)

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** What lies in a folder; nothing while nobody has made it. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/**
 * Keeps files in a folder, which several processes of one machine may share: a file is written beside its place and
 * moved there whole, so that nobody ever reads half of it.
 */
export function createDiskStore(folder: string): ObjectStore {
  const placeOf = (key: string) => {
    assertPlainKey(key)
    return path.join(folder, key)
  }
  return {
    async put(key, bytes) {
      const place = placeOf(key)
      const part = path.join(folder, partName())
      await fs.mkdir(folder, { recursive: true })
      try {
        const file = await fs.open(part, 'wx', 0o644)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await fs.rename(part, place)
      } catch (error) {
        await fs.rm(part, { force: true })
        throw error
      }
    },
    async get(key) {
      try {
        return await fs.readFile(placeOf(key))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    remove: (key) => fs.rm(placeOf(key), { force: true }),
    // A folder that nobody has made yet is made with the first file.
    check: () =>
      fs.access(folder, fs.constants.R_OK | fs.constants.W_OK).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      }),
    async removeUnfinished(before) {
      for (const name of await namesIn(folder)) {
        if (!isPart(name)) continue
        const part = path.join(folder, name)
        const modified = await fs.stat(part).then(
          ({ mtime }) => mtime,
          () => undefined,
        )
        if (modified && modified < before) await fs.rm(part, { force: true })
      }
    },
  }
}
