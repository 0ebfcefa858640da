/** Where files are kept that somebody sent in: by key, whole, never changed. */
export interface ObjectStore {
  /** Keeps a file; one of the same key is replaced. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** The file, or undefined when there is none. */
  get(key: string): Promise<Uint8Array | undefined>
  /** Forgets a file; one that is not there is no fault. */
  remove(key: string): Promise<void>
  /** Forgets what is left of files of which only a part was kept, from before an instant. */
  removeUnfinished(before: Date): Promise<void>
  /**
   * Whether files can be kept and read at all.
   * @throws saying why not
   */
  check(): Promise<void>
}

const plainName = /^[A-Za-z0-9_-]{1,120}(\.[A-Za-z0-9]{1,8})?$/

/** A key is a plain file name, so that it leads nowhere else in any store. */
export function assertPlainKey(key: string): void {
  if (!plainName.test(key)) throw new Error('a key of the object store must be a plain file name')
}
