/** Keys have the storage's prefix. A missing object is ENOENT, other errors are the store's own. */
export type ObjectStore = {
  /** Whether there is an object. False also where the bucket is missing, which `get` reports. */
  has(key: string): Promise<boolean>
  /** The bytes from `start` on, which must be less than the size. */
  get(key: string, start: number): Promise<ObjectBody>
  /** Readers see all or nothing. False if one exists; a store without conditional writes may overwrite it. */
  create(key: string, file: LocalObject): Promise<boolean>
  delete(key: string): Promise<void>
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>
}

export type LocalObject = { path: string; bytes: number; sha256: string }

/** `size`: bytes of the whole object, also if `bytes` begins later. */
export type ObjectBody = { size: number; bytes: AsyncIterable<Uint8Array> }

export const noSuchObject = (key: string): Error =>
  Object.assign(new Error(`there is no object ${key}`), { code: 'ENOENT' })
