/**
 * Where submitted files live. Paths are relative, '/'-separated and made by us, never by a user:
 * `.sources/<key>` holds a source until its submission is done with it, `<folder>/…` is what companies
 * receive (no company folder begins with a dot), `.name` tells whose storage it is. Every write is all or
 * nothing: who finds a file finds the whole of it, on disk (reliability, I1 and I4).
 */
export type Storage = {
  /**
   * Receives bytes of unknown length into the staging area, counting and hashing, and makes them durable.
   * Throws `StorageLimitError` as soon as `maxBytes` is passed, and whatever `source` throws; nothing is left
   * of either.
   */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile>
  /**
   * Writes files that belong together, each atomically and never over another one, and none before all bytes
   * of all of them are on disk; they get their names in the order given, and lose them again when one of them
   * fails. A file of the same bytes that is there already counts as written, so a run that crashed after
   * writing can be repeated. Throws `StorageConflictError` where another file has the path, and
   * `StorageCorruptError` when the bytes do not hash to `sha256`.
   */
  put(files: readonly NewFile[]): Promise<void>
  /** Opens the file when the reading begins; throws an error of code ENOENT then when there is none. */
  read(path: string): AsyncIterable<Uint8Array>
  /** A path that other processes of this machine can open. */
  localPath(path: string): string
  /**
   * Throws when the storage itself is away: a disk that is not mounted must not look like files that were
   * deleted.
   */
  exists(path: string): Promise<boolean>
  /** Does nothing when there is none. Throws when the storage itself is away. */
  delete(path: string): Promise<void>
  /** Files of `.sources/` that were last written before `before`, for the sweep of orphans. */
  listSources(before: Date): AsyncIterable<string>
  /** Deletes what was staged before `before` and never kept; answers how many. */
  sweepStaged(before: Date): Promise<number>
  /** The name that the storage was given, or null: by it a database knows its own storage from another's. */
  name(): Promise<string | null>
  setName(name: string): Promise<void>
  /** Throws when the storage cannot be written to. */
  check(): Promise<void>
}

/** A file to be written, and what its bytes must hash to. */
export type NewFile = { path: string; source: AsyncIterable<Uint8Array>; sha256: string }

/** Received bytes that wait to be kept; durable, but not at their place yet. */
export type StagedFile = {
  readonly bytes: number
  /** Hexadecimal, lower case. */
  readonly sha256: string
  /** The first bytes, at most 64, to tell the kind of file by. */
  readonly head: Uint8Array
  /** Moves the bytes to `path`, atomically and durably. */
  keep(path: string): Promise<void>
  /** Deletes the bytes unless they were kept. */
  discard(): Promise<void>
}

/** More bytes came than allowed. */
export class StorageLimitError extends Error {
  override name = 'StorageLimitError'
}

/** Another file has the path already. */
export class StorageConflictError extends Error {
  override name = 'StorageConflictError'
}

/** The bytes read are not those that were stored. */
export class StorageCorruptError extends Error {
  override name = 'StorageCorruptError'
}

/** The place in storage of a submission's source. */
export const sourcePath = (storageKey: string): string => `.sources/${storageKey}`

/** The error code of the operating system, such as ENOENT or ENOSPC, or undefined. */
export function systemCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}
