/**
 * A bucket or container, as far as the portal uses it. Keys have the prefix of the storage. An error has the
 * code ENOENT where an object is missing, and is otherwise the store's own.
 */
export type ObjectStore = {
  /** Whether there is an object. False also where the bucket is missing, which `get` reports. */
  has(key: string): Promise<boolean>
  /** The bytes from `start` on, which must be less than the size. */
  get(key: string, start: number): Promise<ObjectBody>
  /**
   * Writes an object whose bytes are in a local file: at once for readers, and never over another object if
   * the store knows conditional writes. Returns false if there is one.
   */
  create(key: string, file: LocalObject): Promise<boolean>
  delete(key: string): Promise<void>
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>
}

export type LocalObject = { path: string; bytes: number; sha256: string }

/** `size`: bytes of the whole object, also if `bytes` begins later. */
export type ObjectBody = { size: number; bytes: AsyncIterable<Uint8Array> }

export const noSuchObject = (key: string): Error =>
  Object.assign(new Error(`there is no object ${key}`), { code: 'ENOENT' })
