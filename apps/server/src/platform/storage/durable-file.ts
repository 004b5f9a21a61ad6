import { randomUUID } from 'node:crypto'
import { link, lstat, mkdir, open, readdir, rename, stat, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ifMissing, isMissing, systemCode } from '#platform/storage/storage.ts'

/** Writes `source` to a new file at `path` and forces it to disk. */
export async function writeDurably(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o640)
  try {
    for await (const chunk of source) await writeAll(file, chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    written += (await file.write(chunk, written, chunk.length - written)).bytesWritten
  }
}

/** Syncs the folder: else a power cut may bring the old name back. A missing folder is a missing storage. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/**
 * By a hard link, which throws EEXIST where a rename would silently replace a file written meanwhile. Storage
 * without hard links gets a check and a rename. The name is durable after `syncFolder`.
 */
export async function nameNewFile(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(systemCode(error) ?? '')) throw error
    if (await pathExists(target)) throw Object.assign(new Error(`${target} exists`), { code: 'EEXIST' })
    await rename(temporary, target)
  }
}

/** Deletes a file; false if there is none. `rm` would look at it first. */
export const removeFile = (path: string): Promise<boolean> => unlink(path).then(() => true, ifMissing(false))

/** Deletes the files in a folder, and in folders inside, that are older; returns their number. */
export async function deleteOlder(folder: string, before: Date): Promise<number> {
  let deleted = 0
  for (const name of await readdir(folder, { recursive: true }).catch(ifMissing([]))) {
    const path = join(folder, name)
    // null: moved or deleted since the folder was read.
    const found = await stat(path).catch(ifMissing(null))
    if (found?.isFile() && found.mtime < before && (await removeFile(path))) deleted++
  }
  return deleted
}

/** Unlike `makeFolder` not its parents: a storage that went missing must not come back empty. */
export async function makeFolderIn(parent: string, name: string): Promise<string> {
  const path = join(parent, name)
  try {
    await mkdir(path, 0o750)
    await syncFolder(parent)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
  return path
}

/** Creates the folder and its parents, and syncs each. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o750 })
  if (first === undefined) return
  for (let folder = path; folder.length >= first.length; folder = dirname(folder))
    await syncFolder(dirname(folder))
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its file system journals renames.
  if (process.platform !== 'win32') await sync(path, 'r')
}

/** Forces a file to disk that another process wrote. */
export const syncFile = (path: string): Promise<void> => sync(path, 'r+')

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const opened = await open(path, flags)
  await opened.sync().finally(() => opened.close())
}

/** Whether there is anything, also a link that leads nowhere. */
export const pathExists = (path: string): Promise<boolean> =>
  lstat(path).then(() => true, ifMissing(false, isMissing))

const PART = '.part'

/** A hidden, unique name beside `target`. */
export const temporaryBeside = (target: string): string =>
  join(dirname(target), `.${basename(target)}.${randomUUID()}${PART}`)

/** Deletes temporary files of `target` from a run that crashed. */
export async function deleteTemporaryFiles(target: string): Promise<void> {
  const prefix = `.${basename(target)}.`
  for (const name of await readdir(dirname(target))) {
    if (name.startsWith(prefix) && name.endsWith(PART)) await removeFile(join(dirname(target), name))
  }
}
