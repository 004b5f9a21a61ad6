import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFile } from '#drivers/storage/durable-file.ts'
import { systemCode } from '#drivers/storage/storage.ts'

/** Files that can be made again at any time, kept while there is room. */
export type FileCache = {
  /**
   * Opens the file of that name, made by `make` when it is not there. The caller closes it; it stays readable
   * when it is evicted.
   */
  open(name: string, make: (path: string) => Promise<void>): Promise<FileHandle>
  /** Files that are there, not those in the making. */
  names(): Promise<string[]>
  /** Deletes the file of that name, if there is one; who has it open can read it to its end. */
  forget(name: string): Promise<void>
}

/** A file of the cache, under the name that people save it by. Whoever has it closes it. */
export type GeneratedFile = { fileName: string; file: FileHandle }

const PART = '.part'
const HOUR_MILLISECONDS = 60 * 60 * 1000

/** Opens a cache in `folder` of about `maxBytes`: what was opened longest ago goes first. */
export async function openFileCache(folder: string, maxBytes: number): Promise<FileCache> {
  await mkdir(folder, { recursive: true })
  const inMaking = new Map<string, Promise<void>>()

  const makeOnce = (name: string, make: (path: string) => Promise<void>): Promise<void> => {
    const running =
      inMaking.get(name) ?? makeFile(folder, name, make, maxBytes).finally(() => inMaking.delete(name))
    inMaking.set(name, running)
    return running
  }

  return {
    async open(name, make) {
      for (;;) {
        const file = await openIfThere(join(folder, name))
        if (file !== null) return file
        await makeOnce(name, make)
      }
    },
    names: async () => (await readdir(folder)).filter((name) => !name.endsWith(PART)),
    forget: (name) => rm(join(folder, name), { force: true }),
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    const file = await open(path, 'r')
    await utimes(path, new Date(), new Date()).catch(() => {})
    return file
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}

async function makeFile(
  folder: string,
  name: string,
  make: (path: string) => Promise<void>,
  maxBytes: number,
): Promise<void> {
  const temporary = join(folder, `${name}.${randomUUID()}${PART}`)
  try {
    await make(temporary)
    await evict(folder, maxBytes - (await stat(temporary)).size)
    // Without that, a power cut may leave the name and an empty file, which would be handed out from then on.
    await syncFile(temporary)
    await rename(temporary, join(folder, name))
  } finally {
    await rm(temporary, { force: true })
  }
}

/**
 * Makes room before a file comes in, so that a file larger than the whole cache is still there to be opened
 * once.
 */
async function evict(folder: string, maxBytes: number): Promise<void> {
  const files = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }))
    // A file in the making belongs to its maker, unless that one died.
    if (!name.endsWith(PART) || mtimeMs < Date.now() - HOUR_MILLISECONDS) files.push({ path, mtimeMs, size })
  }
  files.sort((one, other) => other.mtimeMs - one.mtimeMs)
  let kept = 0
  for (const { path, size } of files) {
    kept += size
    if (kept > maxBytes) await rm(path, { force: true })
  }
}
