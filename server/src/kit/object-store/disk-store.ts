import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { assertPlainKey, type ObjectStore } from './object-store.ts'

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

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
      const part = path.join(folder, `.${randomUUID()}.part`)
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
  }
}
