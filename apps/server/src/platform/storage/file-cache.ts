import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from '#platform/private-folder.ts'
import { syncFile } from '#platform/storage/durable-file.ts'
import { ifMissing } from '#platform/storage/storage.ts'

export type FileCache = Awaited<ReturnType<typeof openFileCache>>

/** An opened file of the cache with the name for the download. The caller closes it. */
export type GeneratedFile = { fileName: string; file: FileHandle }

const PART = '.part'
/** All are looked at before one is added: 4 s for 30,000. Tiny corrected copies could fill the cache. */
export const MAX_CACHED_FILES = 2_000
const HOUR_MILLISECONDS = 60 * 60 * 1000

/** Deletes the least recently opened beyond `maxBytes` or `MAX_CACHED_FILES`. Only this account reads it. */
export async function openFileCache(folder: string, maxBytes: number) {
  makePrivateFolder(folder)
  const running = new Map<string, Promise<void>>()

  const generateOnce = (name: string, generate: (path: string) => Promise<void>): Promise<void> => {
    const promise =
      running.get(name) ?? generateFile(folder, name, generate, maxBytes).finally(() => running.delete(name))
    running.set(name, promise)
    return promise
  }

  return {
    /** `generate` writes it if needed. The caller closes it; it stays readable if it is deleted meanwhile. */
    async open(name: string, generate: (path: string) => Promise<void>): Promise<FileHandle> {
      for (;;) {
        const file = await openIfExists(join(folder, name))
        if (file !== null) return file
        await generateOnce(name, generate)
      }
    },
    /** The complete files. */
    names: async (): Promise<string[]> => (await readdir(folder)).filter((name) => !name.endsWith(PART)),
    delete: (name: string): Promise<void> => rm(join(folder, name), { force: true }),
  }
}

async function openIfExists(path: string): Promise<FileHandle | null> {
  const file = await open(path, 'r').catch(ifMissing(null))
  if (file !== null) await utimes(path, new Date(), new Date()).catch(() => {})
  return file
}

async function generateFile(
  folder: string,
  name: string,
  generate: (path: string) => Promise<void>,
  maxBytes: number,
): Promise<void> {
  const temporary = join(folder, `${name}.${randomUUID()}${PART}`)
  try {
    await generate(temporary)
    await evict(folder, maxBytes - (await stat(temporary)).size)
    // Without this, a power cut could leave the name with an empty file, which would then be served.
    await syncFile(temporary)
    await rename(temporary, join(folder, name))
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Runs before a file is added, so that a file larger than the whole cache can still be opened once. */
async function evict(folder: string, maxBytes: number): Promise<void> {
  const files = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }))
    // An incomplete file is still being written, unless its process died.
    if (!name.endsWith(PART) || mtimeMs < Date.now() - HOUR_MILLISECONDS) files.push({ path, mtimeMs, size })
  }
  files.sort((one, other) => other.mtimeMs - one.mtimeMs)
  let kept = 0
  for (const [index, { path, size }] of files.entries()) {
    kept += size
    if (kept > maxBytes || index >= MAX_CACHED_FILES - 1) await rm(path, { force: true })
  }
}
