import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { isAbandoned, stopLeftBehind } from '../kit/embedded-postgres-claim.ts'

const folderPrefix = 'chairside-test-'

/** In memory where there is room: copying a database makes a thousand files, 20 ms there and up to 600 on a disk. */
const memoryFolder = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

function chooseParent(): string {
  try {
    fs.accessSync(memoryFolder, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(memoryFolder)
    return bavail * bsize >= neededBytes ? memoryFolder : os.tmpdir()
  } catch {
    return os.tmpdir()
  }
}

/** An empty folder for the data of a test; it removes it. A database in it stands in `postgres`. */
export function makeDataFolder(): { folder: string; postgresFolder: string; remove(): void } {
  const folder = fs.mkdtempSync(path.join(chooseParent(), folderPrefix))
  // A database that is started by root runs as somebody else, who has to come by here.
  fs.chmodSync(folder, 0o755)
  return {
    folder,
    postgresFolder: path.join(folder, 'postgres'),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

/** A run that was killed leaves its servers and folders; the next run clears them away. */
export async function removeDataLeftBehind(): Promise<void> {
  for (const parent of [memoryFolder, os.tmpdir()]) {
    if (!fs.existsSync(parent)) continue
    for (const name of fs.readdirSync(parent).filter((entry) => entry.startsWith(folderPrefix))) {
      const folder = path.join(parent, name)
      const postgresFolder = path.join(folder, 'postgres')
      const isOurs = fs.statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.()
      if (!isOurs || !fs.existsSync(path.join(postgresFolder, 'owner.json')) || !isAbandoned(postgresFolder))
        continue
      await stopLeftBehind(path.join(postgresFolder, 'cluster'))
      fs.rmSync(folder, { recursive: true, force: true })
    }
  }
}
