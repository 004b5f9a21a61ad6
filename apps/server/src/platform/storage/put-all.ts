import { type NewFile, type PutOptions, StorageCorruptError } from '#platform/storage/storage.ts'

/** A file that is written and has no name yet. */
export type Unnamed = {
  sha256: string
  /** Gives it its name; false if the same file has it. Throws `StorageConflictError` if another one has. */
  name(mayUndo: () => Promise<boolean>): Promise<boolean>
  /** Deletes it unless it got its name. Does not throw. */
  discard(): Promise<void>
}

/** What differs between storages. `prepare`: null if the file is there already. */
type Steps = {
  prepare(file: NewFile): Promise<Unnamed | null>
  remove(path: string): Promise<unknown>
  /** Throws if the file is not there. */
  confirm(path: string): Promise<unknown>
}

/** Names files in order, all or none: one alone would look saved. `mayUndo` may forbid to delete them. */
export async function putAll(
  files: readonly NewFile[],
  { prepare, remove, confirm }: Steps,
  { mayUndo = async () => true }: PutOptions,
): Promise<void> {
  const named: string[] = []
  // At the same time: each waits for the disk.
  const preparing = files.map(prepare)
  const settled = await Promise.allSettled(preparing)
  try {
    const ready = await Promise.all(preparing)
    for (const [index, { path, sha256 }] of files.entries())
      if ((ready[index]?.sha256 ?? sha256) !== sha256)
        throw new StorageCorruptError(`the bytes for ${path} are not those that were uploaded`)
    for (const [index, { path }] of files.entries()) if (await ready[index]?.name(mayUndo)) named.push(path)
    // A process of the previous version may have deleted one, after it lost its lease.
    for (const { path } of files) await confirm(path)
  } catch (error) {
    if (named.length > 0 && (await mayUndo())) for (const path of named.reverse()) await remove(path)
    throw error
  } finally {
    for (const one of settled) if (one.status === 'fulfilled') await one.value?.discard()
  }
}
