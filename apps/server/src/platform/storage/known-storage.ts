import type { StagedFile, Storage } from '#platform/storage/storage.ts'
import { aDayAhead, StorageUnavailableError } from '#platform/storage/storage.ts'
import { withinTime } from '#platform/within-time.ts'

/** Storage that is used only while it is known to be the right one. */
export type KnownStorage = Storage & {
  /** Throws `StorageUnavailableError` unless the storage is there and is this database's. */
  confirm(): Promise<void>
}

/** A storage found right is not checked again for this long. */
const CONFIRMED_MILLISECONDS = 1000
/** A storage that does not respond, such as a network share without its server, is not there. */
const TIMEOUT_MILLISECONDS = 5000

export type KnownStorageSettings = {
  /** The id that the storage must have; asked until it is known. Throws `StorageUnavailableError`. */
  identify(storage: IdentifiableStorage): Promise<string>
  /** Called when the storage becomes unavailable, with the reason, and with null when it is back. */
  onChange(reason: StorageUnavailableError | null): void
}

/**
 * Checks that `storage` is this database's: before each use, and after a missing file or a failure. A disk
 * that is not mounted must not look like deleted files, and must not get uploads.
 */
export function knownStorage(storage: Storage, { identify, onChange }: KnownStorageSettings): KnownStorage {
  const identifiable = identifiableOf(storage)
  let expected: string | null = null
  let confirmedAt = -Infinity
  let lastReason = ''
  let running: Promise<void> | null = null

  const compare = async () => {
    expected ??= await identify(identifiable)
    const found = await identifiable.id()
    if (found === expected) return
    throw new StorageUnavailableError(
      found === null ? `It has no id; its id is ${expected}` : `It belongs to another database`,
    )
  }
  const confirmNow = async () => {
    try {
      await compare()
      confirmedAt = performance.now()
      if (lastReason !== '') onChange(null)
      lastReason = ''
    } catch (error) {
      confirmedAt = -Infinity
      if (!(error instanceof StorageUnavailableError)) throw error
      if (lastReason !== error.message) onChange(error)
      lastReason = error.message
      throw error
    }
  }
  const confirm = async () => {
    if (performance.now() - confirmedAt < CONFIRMED_MILLISECONDS) return
    running ??= confirmNow().finally(() => (running = null))
    await running
  }
  /** An operation that fails because the storage is unavailable fails with that reason. */
  const confirming = async <T>(work: () => Promise<T>): Promise<T> => {
    await confirm()
    try {
      return await work()
    } catch (error) {
      await confirmNow()
      throw error
    }
  }
  async function* confirmingItems<T>(source: () => AsyncIterable<T>): AsyncIterable<T> {
    await confirm()
    try {
      yield* source()
    } catch (error) {
      await confirmNow()
      throw error
    }
  }

  return {
    ...storage,
    confirm,
    stage: async (source) => {
      const staged = await confirming(() => storage.stage(source))
      return { ...staged, keep: (path) => confirming(() => staged.keep(path)) } satisfies StagedFile
    },
    put: (files, options) => confirming(() => storage.put(files, options)),
    read: (path) => confirmingItems(() => storage.read(path)),
    useFile: (path, work) => confirming(() => storage.useFile(path, work)),
    streamFile: (path, work) => confirming(() => storage.streamFile(path, work)),
    async exists(path) {
      const found = await confirming(() => storage.exists(path))
      if (!found) await confirmNow()
      return found
    },
    delete: (path) => confirming(() => storage.delete(path)),
    list: (of, before) => confirmingItems(() => storage.list(of, before)),
    sweepStaged: (before) => confirming(() => storage.sweepStaged(before)),
    space: () => confirming(() => storage.space()),
    check: async () => {
      await confirmNow()
      await storage.check()
    },
  }
}

/** What decides about the identity, with every error of the storage as `StorageUnavailableError`. */
export type IdentifiableStorage = ReturnType<typeof identifiableOf>

export const identifiableOf = (storage: Storage) => ({
  id: () => unavailableIfFailing(() => storage.id()),
  setId: (id: string) => unavailableIfFailing(() => storage.setId(id)),
  hasSources: () =>
    unavailableIfFailing(async () => {
      for await (const _source of storage.list('sources', aDayAhead())) return true
      return false
    }),
})

async function unavailableIfFailing<T>(work: () => Promise<T>): Promise<T> {
  try {
    const late = `It did not respond within ${TIMEOUT_MILLISECONDS / 1000} seconds`
    return await withinTime(work(), TIMEOUT_MILLISECONDS, late)
  } catch (error) {
    throw new StorageUnavailableError((error as Error).message, { cause: error })
  }
}
