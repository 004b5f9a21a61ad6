import type { LocalMachine } from '#platform/storage/object-storage.ts'
import { noSuchObject, type ObjectStore } from '#platform/storage/object-store.ts'
import { collect, describeBytes, type Disk, type DiskAccess } from '#simulation/memory-storage.ts'

const noSuchBucket = (): Error => Object.assign(new Error('there is no bucket'), { statusCode: 404 })

/** A bucket in memory. `hasConditions`: it refuses to overwrite an object. */
export function createMemoryObjectStore(
  disk: Disk,
  hasConditions: boolean,
  { step: anyStep, now }: DiskAccess,
  bytesOf: (localPath: string) => Buffer,
): ObjectStore {
  const step = <T>(name: string, work: () => T) =>
    anyStep(name, () => {
      if (!disk.isMounted) throw noSuchBucket()
      return work()
    })
  return {
    has: (key) => anyStep('has', () => disk.isMounted && disk.files.has(key)),
    async get(key, start) {
      const { bytes } = await step('get', () => {
        const found = disk.files.get(key)
        if (found === undefined) throw noSuchObject(key)
        return found
      })
      async function* rest() {
        yield bytes.subarray(start)
      }
      return { size: bytes.length, bytes: rest() }
    },
    create(key, { path }) {
      const bytes = bytesOf(path)
      return step('create', () => {
        if (hasConditions && disk.files.has(key)) return false
        disk.files.set(key, { bytes, writtenAt: now() })
        return true
      })
    },
    delete: async (key) => void (await step('delete', () => disk.files.delete(key))),
    async *list(prefix) {
      yield* await step('list', () =>
        [...disk.files].flatMap(([key, { writtenAt }]) =>
          key.startsWith(prefix) ? [{ key, modifiedAt: new Date(writtenAt) }] : [],
        ),
      )
    },
  }
}

/** The disk of a process, with the files that it has received; they are lost when it ends. */
export function createLocalMachine(files: Map<string, Buffer>, { step, uuid }: DiskAccess): LocalMachine {
  return {
    async receive(source) {
      const bytes = await collect(source)
      const path = uuid()
      await step('stage', () => files.set(path, bytes))
      return { path, ...describeBytes(bytes) }
    },
    remove: async (path) => void files.delete(path),
    sweep: async () => 0,
    uuid,
  }
}
