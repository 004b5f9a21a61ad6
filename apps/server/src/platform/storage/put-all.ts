import { type NewFile, type PutOptions, StorageCorruptError } from '#platform/storage/storage.ts'

/** A file that is written and has no name yet. */
export type Unnamed = {
  sha256: string
  /** Gives it its name; false if the same file has it. Throws `StorageConflictError` if another one has. */
  name(): Promise<boolean>
  /** Deletes it, but not what has its name. */
  discard(): Promise<unknown>
}

/** What differs between storages. `prepare`: null if the file is there already. */
type Steps = {
  prepare(file: NewFile): Promise<Unnamed | null>
  remove(path: string): Promise<unknown>
  /** Makes all names durable. Throws if a file is not there. */
  confirm(): Promise<unknown>
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
    for (const [index, { path }] of files.entries()) if (await ready[index]?.name()) named.push(path)
    for (const one of ready) await one?.discard()
    // A process of the previous version may have deleted one, after it lost its lease.
    await confirm()
  } catch (error) {
    if (named.length > 0 && (await mayUndo())) for (const path of named.reverse()) await remove(path)
    for (const one of settled) if (one.status === 'fulfilled') await one.value?.discard().catch(() => {})
    throw error
  }
}
