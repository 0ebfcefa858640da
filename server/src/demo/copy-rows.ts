import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** A value of a row; arrays become PostgreSQL arrays. */
export type CopyValue =
  | string
  | number
  | boolean
  | Date
  | Buffer
  | null
  | undefined
  | readonly (string | number)[]

function textOf(value: CopyValue): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  const text = typeof value === 'string' ? value : `{${(value as readonly (string | number)[]).join(',')}}`
  return text.replace(
    /[\\\t\n\r]/g,
    (character) => `\\${{ '\\': '\\', '\t': 't', '\n': 'n', '\r': 'r' }[character] ?? ''}`,
  )
}

/** Rows on their way into a table by `COPY`. */
export interface RowCopy {
  add(row: readonly CopyValue[]): void
  /** Waits until the server keeps up; to be called now and then. */
  drained(): Promise<void>
  end(): Promise<void>
}

const bufferedCharacters = 256 * 1024

/** Opens a copy into a table on a connection of its own. */
export function copyInto(client: pg.ClientBase, table: string, columns: readonly string[]): RowCopy {
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
  let buffered = ''
  let full = false
  const flush = () => {
    if (buffered) full = !stream.write(buffered)
    buffered = ''
  }
  return {
    add(row) {
      buffered += `${row.map(textOf).join('\t')}\n`
      if (buffered.length > bufferedCharacters) flush()
    },
    async drained() {
      if (!full) return
      full = false
      await once(stream, 'drain')
    },
    async end() {
      flush()
      stream.end()
      await finished(stream)
    },
  }
}
