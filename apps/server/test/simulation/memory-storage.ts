import { hash } from 'node:crypto'
import { sha256Of } from '#platform/storage/chunks.ts'
import {
  HEAD_BYTES,
  type NewFile,
  SOURCES,
  StorageConflictError,
  StorageCorruptError,
  type Storage,
} from '#platform/storage/storage.ts'

/** The path of the object that holds the id of a bucket. */
export const ID_PATH = '.name'

type StoredFile = { bytes: Buffer; writtenAt: number }

/** A local disk, a bucket with conditional writes, or a bucket that ignores their conditions. */
export const storageKinds = ['folder', 'bucket', 'bucket without conditions'] as const
export type StorageKind = (typeof storageKinds)[number]

/** A storage, shared by all processes. */
export type Disk = {
  readonly kind: StorageKind
  readonly id: string
  /** While it is false, processes find an empty folder instead. */
  isMounted: boolean
  space: { free: number; total: number } | null
  readonly files: Map<string, StoredFile>
  /** Received files that were not kept yet. */
  readonly staged: Map<string, StoredFile>
  /** Written files that do not have the name of their target yet. */
  readonly temporary: Map<string, { target: string; bytes: Buffer }>
}

export const createDisk = (kind: StorageKind, id: string): Disk => ({
  kind,
  id,
  isMounted: true,
  space: null,
  files: new Map(kind === 'folder' ? [] : [[ID_PATH, { bytes: Buffer.from(id), writtenAt: 0 }]]),
  staged: new Map(),
  temporary: new Map(),
})

/** How a process uses the disk. Each step can fail, and other processes can run between two steps. */
export type DiskAccess = { step<T>(name: string, work: () => T): Promise<T>; uuid(): string; now(): number }

export const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: a failure of the simulated disk`), { code })

export const collect = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(source))

/** The facts that a storage returns about received bytes. */
export const describeBytes = (bytes: Buffer) => ({
  bytes: bytes.length,
  sha256: hash('sha256', bytes),
  head: Uint8Array.from(bytes.subarray(0, HEAD_BYTES)),
})

/** A storage in memory with the same steps as `platform/storage/local-disk.ts`. */
export function createMemoryStorage(disk: Disk, { step: anyStep, uuid, now }: DiskAccess): Storage {
  const step = <T>(name: string, work: () => T) =>
    anyStep(name, () => {
      if (!disk.isMounted) throw systemError('ENOENT')
      return work()
    })
  const bytesOf = (path: string): Buffer => {
    const found = disk.files.get(path)
    if (found === undefined) throw systemError('ENOENT')
    return found.bytes
  }
  async function* read(path: string): AsyncIterable<Uint8Array> {
    yield await step('read', () => bytesOf(path))
  }
  const expectSame = async (path: string, sha256: string) => {
    if ((await sha256Of(read(path))) !== sha256) throw new StorageConflictError(`another file is at ${path}`)
  }

  const writeTemporary = async (token: string, { path, source, sha256 }: NewFile) => {
    const bytes = await collect(source)
    await step('write', () => disk.temporary.set(token, { target: path, bytes }))
    if (hash('sha256', bytes) !== sha256)
      throw new StorageCorruptError(`the bytes for ${path} are not those that were uploaded`)
  }

  /** Gives a written file its name. Returns false if the same file was there already. */
  const nameOne = async (
    token: string,
    { path, sha256 }: NewFile,
    mayUndo: () => Promise<boolean>,
  ): Promise<boolean> => {
    const isOurs = await step('name', () => {
      const written = disk.temporary.get(token)
      if (written === undefined) throw systemError('ENOENT')
      if (disk.files.has(path)) return false
      disk.files.set(path, { bytes: written.bytes, writtenAt: now() })
      disk.temporary.delete(token)
      return true
    })
    if (!isOurs) {
      await expectSame(path, sha256)
      return false
    }
    try {
      await step('sync', () => {})
    } catch (error) {
      // The name may be lost in a power cut.
      if (await mayUndo()) await step('remove', () => disk.files.delete(path))
      throw error
    }
    return true
  }

  const nameAll = async (
    written: { token: string; file: NewFile; isNamed: boolean }[],
    files: readonly NewFile[],
    mayUndo: () => Promise<boolean>,
  ) => {
    const named: string[] = []
    try {
      for (const one of written) {
        one.isNamed = await nameOne(one.token, one.file, mayUndo)
        if (one.isNamed) named.push(one.file.path)
      }
      await step('confirm', () => {
        for (const { path } of files) bytesOf(path)
      })
    } catch (error) {
      if (named.length > 0 && (await mayUndo()))
        for (const path of named.reverse()) await step('remove', () => disk.files.delete(path))
      throw error
    }
  }

  return {
    async stage(source) {
      const token = uuid()
      let bytes: Buffer
      let isKept = false
      // If this fails, the sweep deletes the file later.
      const discard = async () => {
        if (!isKept) await step('discard', () => disk.staged.delete(token)).catch(() => {})
      }
      try {
        await step('stage', () => disk.staged.set(token, { bytes: Buffer.alloc(0), writtenAt: now() }))
        bytes = await collect(source)
        await step('sync', () => disk.staged.set(token, { bytes, writtenAt: now() }))
      } catch (error) {
        await discard()
        throw error
      }
      return {
        ...describeBytes(bytes),
        async keep(path) {
          await step('keep', () => {
            const staged = disk.staged.get(token)
            if (staged === undefined) throw systemError('ENOENT')
            disk.files.set(path, staged)
            disk.staged.delete(token)
          })
          isKept = true
        },
        discard,
      }
    },
    async put(files, { isFirst = false, mayUndo = async () => true } = {}) {
      await step('prepare', () => {
        if (isFirst) return
        const targets = new Set(files.map(({ path }) => path))
        // A run that is writing one of these targets has lost its lease. Without its temporary file it fails.
        for (const [token, { target }] of disk.temporary)
          if (targets.has(target)) disk.temporary.delete(token)
      })
      const written: { token: string; file: NewFile; isNamed: boolean }[] = []
      const writing: Promise<void>[] = []
      try {
        for (const file of files) {
          if (await step('look', () => disk.files.has(file.path))) {
            await expectSame(file.path, file.sha256)
            continue
          }
          const token = uuid()
          written.push({ token, file, isNamed: false })
          const isWritten = writeTemporary(token, file)
          // Without a listener, a failure before the others are begun would end the process.
          isWritten.catch(() => {})
          writing.push(isWritten)
        }
        await Promise.all(writing)
        await nameAll(written, files, mayUndo)
      } finally {
        await Promise.allSettled(writing)
        // If this fails, the next run deletes the file.
        for (const { token, isNamed } of written)
          if (!isNamed) await step('clear', () => disk.temporary.delete(token)).catch(() => {})
      }
    },
    read,
    useFile: (path, work) => work(path),
    streamFile: (path, work) => work({ path }),
    exists: (path) => step('exists', () => disk.files.has(path)),
    delete: async (path) => void (await step('delete', () => disk.files.delete(path))),
    async *list(of, before) {
      yield* await step('list', () =>
        [...disk.files].flatMap(([path, { writtenAt }]) =>
          path.startsWith(`${SOURCES}/`) === (of === 'sources') && writtenAt < before.getTime() ? [path] : [],
        ),
      )
    },
    sweepStaged: (before) =>
      step('sweep', () => {
        const old = [...disk.staged].filter(([, { writtenAt }]) => writtenAt < before.getTime())
        for (const [token] of old) disk.staged.delete(token)
        return old.length
      }),
    id: () => anyStep('id', () => (disk.isMounted ? disk.id : null)),
    setId: () => {
      throw new StorageConflictError('the simulated disk has an id already')
    },
    space: () => step('space', () => disk.space),
    check: () => step('check', () => {}),
  }
}
