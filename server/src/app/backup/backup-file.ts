import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import yauzl from 'yauzl'
import { z } from 'zod'

/*
 * A backup is one zip: `backup.json`, which says what it is; for each table a file in the text format of COPY; the pictures;
 * and `complete.json`, which says how much there is of each.
 */

export const headName = 'backup.json'
export const endName = 'complete.json'
export const tableFileOf = (table: string) => `tables/${table.replaceAll('"', '')}.copy`
export const pictureFolder = 'pictures/'

/** The file is not a backup, is incomplete, or cannot be restored here; the message is a whole sentence. */
export class BackupError extends Error {
  override name = 'BackupError'
}

export const formatVersion = 1

const Head = z.object({
  format: z.literal(formatVersion),
  madeAt: z.string(),
  keyFingerprint: z.string().nullable(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), months: z.array(z.string()) })),
})
export type BackupHead = z.output<typeof Head>

const End = z.object({
  rows: z.record(z.string(), z.number()),
  sequences: z.record(z.string(), z.string()),
  pictures: z.number(),
})
export type BackupEnd = z.output<typeof End>

export interface OpenBackup {
  head: BackupHead
  end: BackupEnd
  pictureKeys: string[]
  /** @throws BackupError when it has no such file */
  open(name: string): Promise<Readable>
  close(): void
}

/** Hands on the bytes of a file, and compares their sum at the end, which the reader of the zip leaves to us. */
async function* checked(pieces: AsyncIterable<Buffer>, entry: yauzl.Entry): AsyncGenerator<Buffer> {
  const damaged = (cause?: unknown) =>
    new BackupError(`The backup is damaged: ${entry.fileName} is not what was written.`, { cause })
  let sum = 0
  try {
    for await (const piece of pieces) {
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (error) {
    throw damaged(error)
  }
  if (sum !== entry.crc32) throw damaged()
}

/**
 * Opens a backup.
 * @throws BackupError
 */
export async function openBackup(file: string): Promise<OpenBackup> {
  const zip = await yauzl.openPromise(file, { autoClose: false }).catch((cause: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder',
      EACCES: 'this user may not read it',
    }
    throw new BackupError(
      `${file} cannot be restored: ${reasons[cause.code ?? ''] ?? 'it is no backup, or was cut short'}.`,
      { cause },
    )
  })
  try {
    const entries = new Map<string, yauzl.Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const open = async (name: string) => {
      const entry = entries.get(name)
      if (!entry) throw new BackupError(`${file} cannot be restored: it has no ${name}.`)
      return Readable.from(checked(await zip.openReadStreamPromise(entry), entry), { objectMode: false })
    }
    const read = async <Schema extends z.ZodType>(name: string, schema: Schema) => {
      const parsed = schema.safeParse(await json(await open(name)))
      if (parsed.success) return parsed.data
      throw new BackupError(
        `${file} cannot be restored: its ${name} is none that this version understands. A newer version may have made it.`,
      )
    }
    return {
      head: await read(headName, Head),
      end: await read(endName, End),
      pictureKeys: [...entries.keys()].flatMap((name) =>
        name.startsWith(pictureFolder) ? [name.slice(pictureFolder.length)] : [],
      ),
      open,
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}
