import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { makePrivateFolder } from '#platform/private-folder.ts'
import { measured, oneChunk, sha256Of } from '#platform/storage/chunks.ts'
import { deleteOlder } from '#platform/storage/durable-file.ts'
import type { LocalObject, ObjectStore } from '#platform/storage/object-store.ts'
import { putAll } from '#platform/storage/put-all.ts'
import { rangeReader } from '#platform/storage/range-reader.ts'
import {
  listedFolder,
  ifMissing,
  type StagedFile,
  type Storage,
  StorageConflictError,
  systemCode,
} from '#platform/storage/storage.ts'

const ID = '.name'
const TRIALS = '.incoming'
/** Pauses before a request is sent again. */
const PAUSES_MILLISECONDS = [100, 500]

/**
 * Below `prefix`. Bytes are received in the local `folder` and sent when their number and hash are known: as
 * one request, which can be repeated, and of which readers never see a part. Copies in use are there, too.
 */
export async function openObjectStorage(
  store: ObjectStore,
  { prefix, folder }: { prefix: string; folder: string },
): Promise<Storage> {
  makePrivateFolder(folder)
  return createObjectStorage(store, prefix, {
    receive: (source) => receiveLocally(join(folder, `${randomUUID()}.part`), source),
    remove: (path) => rm(path, { force: true }),
    sweep: (before) => deleteOlder(folder, before),
    uuid: randomUUID,
  })
}

/** What an object storage needs of its own machine. */
export type LocalMachine = {
  /** Writes a file, counting and hashing it. */
  receive(source: AsyncIterable<Uint8Array>): Promise<Received>
  remove(path: string): Promise<void>
  /** Deletes files that are older; returns their number. */
  sweep(before: Date): Promise<number>
  uuid(): string
}

/** An object storage with a given local disk, which the simulation replaces. */
export function createObjectStorage(store: ObjectStore, prefix: string, local: LocalMachine): Storage {
  const keyOf = (path: string) => prefix + insidePath(path)
  const read = (path: string) => readObject(store, keyOf(path))

  /** Returns false if an equal file exists. Throws `StorageConflictError` if another file exists. */
  const create = async (path: string, file: LocalObject): Promise<boolean> => {
    const isNew = await repeatedly(async () => {
      // A store that ignores conditions would write over the other object.
      if (await store.has(keyOf(path))) return false
      return store.create(keyOf(path), file)
    })
    // After a lost reply the object is our own.
    if (!isNew && (await sha256Of(read(path))) !== file.sha256)
      throw new StorageConflictError(`another object is at ${path}`)
    return isNew
  }
  const exists = (path: string) => repeatedly(() => store.has(keyOf(path)))
  const deleteOnce = (path: string) => store.delete(keyOf(path))
  const remove = (path: string) => repeatedly(() => deleteOnce(path))
  const receiveForNow = async (source: AsyncIterable<Uint8Array>) => {
    const file = await local.receive(source)
    return { ...file, discard: () => local.remove(file.path).catch(() => {}) }
  }
  const objectsIn = (folder: string) => listObjects(store, folder === '' ? prefix : keyOf(`${folder}/`))

  return {
    async stage(source) {
      const file = await receiveForNow(source)
      const keep = (path: string) => create(path, file).then(file.discard)
      return { ...file, keep } satisfies StagedFile
    },
    put: (files, options = {}) =>
      putAll(
        files,
        {
          async prepare({ path, source }) {
            const file = await receiveForNow(source)
            return { ...file, name: () => create(path, file) }
          },
          // Once: a request that was given up may still be done, when the path is used again.
          remove: (path) => deleteOnce(path).catch(() => {}),
          async confirm() {
            for (const { path } of files) if (!(await exists(path))) throw noLonger(path)
          },
        },
        options,
      ),
    read,
    useFile: (path, work) => useReceived(local, read(path), (copy) => work(copy.path)),
    async streamFile(path, work) {
      const { size, read, close } = await rangeReader((start) => openObject(store, keyOf(path), start))
      return work({ size, read }).finally(close)
    },
    exists,
    delete: remove,
    async *list(of, before) {
      for await (const { key, modifiedAt } of objectsIn(listedFolder(of))) {
        const path = key.slice(prefix.length)
        if (modifiedAt < before && (of === 'sources' || !path.startsWith('.'))) yield path
      }
    },
    async sweepStaged(before) {
      let swept = await local.sweep(before)
      for await (const { key, modifiedAt } of objectsIn(TRIALS)) {
        if (modifiedAt >= before) continue
        await repeatedly(() => store.delete(key))
        swept++
      }
      return swept
    },
    id: () => text(read(ID)).then((id) => id.trim(), ifMissing(null)),
    setId: (id) =>
      useReceived(local, oneChunk(Buffer.from(id)), async (file) => {
        if (!(await create(ID, file))) throw new StorageConflictError('the storage has an id already')
      }),
    space: async () => null,
    check: () =>
      useReceived(local, oneChunk(new Uint8Array(1)), async (file) => {
        const path = `${TRIALS}/${local.uuid()}`
        await create(path, file)
        await remove(path)
      }),
  }
}

/** Receives bytes for `work`, and removes them afterwards. */
async function useReceived<T>(
  { receive, remove }: LocalMachine,
  source: AsyncIterable<Uint8Array>,
  work: (file: Received) => Promise<T>,
): Promise<T> {
  const file = await receive(source)
  return work(file).finally(() => remove(file.path))
}

/** Our own paths never leave the prefix; this checks it once more. */
function insidePath(path: string): string {
  if (path.split('/').some((segment) => segment === '..' || segment === '.'))
    throw new Error(`Storage path leaves its root: ${path}`)
  return path
}

/** A file on the local disk, with its first bytes. */
export type Received = LocalObject & { head: Uint8Array }

/** Not synced: after a crash the upload counts as broken off, and the sweep deletes the rest. */
async function receiveLocally(path: string, source: AsyncIterable<Uint8Array>): Promise<Received> {
  const { chunks, result } = measured(source)
  try {
    await writeFile(path, chunks, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return { path, ...result() }
}

const noLonger = (path: string): Error =>
  Object.assign(new Error(`${path} was deleted meanwhile`), { code: 'ENOENT' })

async function* readObject(store: ObjectStore, key: string): AsyncIterable<Uint8Array> {
  yield* (await openObject(store, key, 0)).bytes
}

/** The bytes of an object from `start` on. When reading fails, it continues where it broke off. */
async function openObject(store: ObjectStore, key: string, start: number) {
  const opened = await repeatedly(() => store.get(key, start))
  async function* bytes() {
    let at = start
    let body = opened
    for (let failures = 0; ; failures++) {
      try {
        for await (const chunk of body.bytes) {
          yield chunk
          at += chunk.length
          failures = 0
        }
        if (at === opened.size) return
        throw new Error(`${key} ended after ${at} of ${opened.size} bytes`)
      } catch (error) {
        if (failures >= PAUSES_MILLISECONDS.length) throw toSystemError(error)
        await sleep(PAUSES_MILLISECONDS[failures])
        body = await repeatedly(() => store.get(key, at))
      }
    }
  }
  return { size: opened.size, bytes: bytes() }
}

/** Begins again after an error, but not when objects were listed before it. */
async function* listObjects(store: ObjectStore, prefix: string): ReturnType<ObjectStore['list']> {
  const begin = async () => {
    const objects = store.list(prefix)[Symbol.asyncIterator]()
    return { objects, first: await objects.next() }
  }
  const { objects, first } = await repeatedly(begin)
  try {
    for (let next = first; next.done !== true; next = await objects.next()) yield next.value
  } catch (error) {
    throw toSystemError(error)
  }
}

/** Repeats `work` after an error, but not where an object is missing or access is denied. */
async function repeatedly<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MILLISECONDS) {
    try {
      return await work()
    } catch (error) {
      if (isFinal(error)) throw toSystemError(error)
    }
    await sleep(pause)
  }
  return work().catch((error: unknown) => {
    throw toSystemError(error)
  })
}

const statusOf = (error: unknown): number | undefined => {
  const { $metadata, statusCode } = error as { $metadata?: { httpStatusCode?: number }; statusCode?: number }
  return $metadata?.httpStatusCode ?? statusCode
}

function isFinal(error: unknown): boolean {
  const status = statusOf(error) ?? 0
  return systemCode(error) === 'ENOENT' || (status >= 400 && status < 500 && ![408, 429].includes(status))
}

/** Gives an error the code that a local disk would give it, which the rest of the portal checks. */
function toSystemError(error: unknown): Error {
  if (systemCode(error) === 'ENOENT' && statusOf(error) === undefined) {
    const { syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) return error as Error
  }
  const status = statusOf(error)
  const code = status === 401 || status === 403 ? 'EACCES' : status === 507 ? 'ENOSPC' : 'EIO'
  const { name, message } = error as Error
  // Without its cause, which may have headers and keys that must not get into a log.
  return Object.assign(new Error(`${name}: ${message}`), { code })
}
