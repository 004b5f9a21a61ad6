export type PutOptions = {
  /** No earlier run can have left files at these paths. */
  isFirst?: boolean
  /**
   * Called after a failure: whether written files may be deleted. False if another run may take them, now or
   * later; it may first record that none uses these paths. Must not reject. Without it they are deleted.
   */
  mayUndo?: () => Promise<boolean>
}

/**
 * Paths are relative, '/'-separated and made by us, never by a user: `.sources/<key>` is a source until its
 * submission no longer needs it, `<folder>/…` is what companies receive (never with a dot in front),
 * `.audit-heads/<day>.json` proves the audit trail, `.name` has the id. A file that exists is complete and on
 * disk. Nothing is created before `setId`.
 */
export type Storage = {
  /** Durable, counted and hashed. Throws what `source` throws; then nothing is left. */
  stage(source: AsyncIterable<Uint8Array>): Promise<StagedFile>
  /**
   * All or none, and never over another file. They get their names in order, once all bytes are on disk. A
   * file with the same bytes counts as written, so that a crashed run can be repeated. Throws
   * `StorageConflictError` for another file, and `StorageCorruptError` if the bytes do not match `sha256`.
   */
  put(files: readonly NewFile[], options?: PutOptions): Promise<void>
  /** Opens the file when reading begins; throws an error with code ENOENT then if there is none. */
  read(path: string): AsyncIterable<Uint8Array>
  /** Calls `work` with a local path of the file, which other processes of this machine can open meanwhile. */
  useFile<T>(path: string, work: (localPath: string) => Promise<T>): Promise<T>
  /** Calls `work` without a local copy, for a file that is read mostly from its beginning to its end. */
  streamFile<T>(path: string, work: (file: ReadableFile) => Promise<T>): Promise<T>
  /** Throws if the storage itself is missing: a disk that is not mounted must not look like deleted files. */
  exists(path: string): Promise<boolean>
  /** Deletes the file if it exists. Throws if the storage itself is missing. */
  delete(path: string): Promise<void>
  /** Files last written before `before`: of all sources, of all companies, or in a folder. In no order. */
  list(of: 'sources' | 'companies' | { folder: string }, before: Date): AsyncIterable<string>
  /** Deletes what was staged before `before` and never kept; returns the number of files. */
  sweepStaged(before: Date): Promise<number>
  /** Its database recognizes it by this id; null if it has none. Throws if the storage is incomplete. */
  id(): Promise<string | null>
  /** Prepares a new storage for use. Throws `StorageConflictError` if it has an id. */
  setId(id: string): Promise<void>
  /** Free and total bytes of its disk; null where there is no such number. */
  space(): Promise<{ free: number; total: number } | null>
  /** Throws if the storage is not writable. */
  check(): Promise<void>
}

/** A file that was uploaded, with its name then; `content` is read once. */
export type StoredFile = { fileName: string; bytes: number; content: AsyncIterable<Uint8Array> }

/** A file to write, and the hash of its bytes. */
export type NewFile = { path: string; source: AsyncIterable<Uint8Array>; sha256: string }

/** By local path, or by parts: at most `length` bytes from `position` on, fewer only at the end. */
export type ReadableFile =
  | { path: string }
  | { size: number; read(position: number, length: number): Promise<Uint8Array> }

/** The kind of a file can be recognized by this many first bytes. */
export const HEAD_BYTES = 64

/** Received bytes: durable, but not at their final path yet. */
export type StagedFile = {
  readonly bytes: number
  /** Hexadecimal, lower case. */
  readonly sha256: string
  /** The first bytes, at most `HEAD_BYTES`. */
  readonly head: Uint8Array
  /** Moves the bytes to `path`, atomically and durably. */
  keep(path: string): Promise<void>
  /** Deletes the bytes unless they were moved. Never throws: the sweep deletes what stays. */
  discard(): Promise<void>
}

/** Another file has the path already. */
export class StorageConflictError extends Error {
  override name = 'StorageConflictError'
}

/** The bytes read are not those that were stored. */
export class StorageCorruptError extends Error {
  override name = 'StorageCorruptError'
}

/** It is missing or not this database's. Nothing may be concluded from what is in it, or stored there. */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError'
}

export const SOURCES = '.sources'

/** The folder that `list` reads; '' for all companies. */
export const listedFolder = (of: Parameters<Storage['list']>[0]): string =>
  typeof of === 'object' ? of.folder : of === 'sources' ? SOURCES : ''

/** For `list`: also what is written meanwhile. */
export const aDayAhead = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000)

export const sourcePath = (storageKey: string): string => `${SOURCES}/${storageKey}`

export const storageKeyOf = (path: string): string => path.slice(SOURCES.length + 1)

/** The error code of the operating system, such as ENOENT or ENOSPC. */
export function systemCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}

/** Whether there is no such file. ENOTDIR: one of its parents is a file. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')

/** To catch an error with: the result where a file is missing. Throws any other error. */
export const ifMissing =
  <T>(result: T, isExpected = (error: unknown) => systemCode(error) === 'ENOENT') =>
  (error: unknown): T => {
    if (isExpected(error)) return result
    throw error
  }
