import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemCode } from '#drivers/storage/storage.ts'

/**
 * Writes all of `source` to a new file at `path` and forces it to disk. `seen` gets each chunk before it is
 * written.
 */
export async function writeDurably(
  path: string,
  source: AsyncIterable<Uint8Array>,
  seen: (chunk: Uint8Array) => void,
): Promise<void> {
  const file = await open(path, 'wx', 0o640)
  try {
    for await (const chunk of source) {
      seen(chunk)
      await writeAll(file, chunk)
    }
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

/** Renames and forces the folder's entry to disk: without that, a power cut may bring the old name back. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to))
  await rename(from, to)
  await syncFolder(dirname(to))
}

/**
 * Gives the file at `temporary` the name `target` unless that is taken (EEXIST). A hard link, not a rename:
 * rename would silently replace a file that came between asking and acting. Storage without hard links gets
 * the rename after asking.
 */
export async function linkDurably(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target)
    await rm(temporary, { force: true })
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(systemCode(error) ?? '')) throw error
    if (await isThere(target)) throw Object.assign(new Error(`${target} exists`), { code: 'EEXIST' })
    await rename(temporary, target)
  }
  try {
    await syncFolder(dirname(target))
  } catch (error) {
    // A name that may not outlive a power cut is no success; leaving it would make a failed file look saved.
    await rm(target, { force: true })
    throw error
  }
}

/** Makes the folder with its parents, each entry forced to disk. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o750 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its file system journals renames itself.
  if (process.platform !== 'win32') await sync(path, 'r')
}

/** Forces a file to disk that another process has written. */
export const syncFile = (path: string): Promise<void> => sync(path, 'r+')

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const opened = await open(path, flags)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    // ENOTDIR: a file stands where a folder should; there is surely nothing below it.
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return false
    throw error
  }
}

const PART = '.part'

/** A name beside `target` that readers skip (hidden) and nobody else uses. */
export const temporaryBeside = (target: string): string =>
  join(dirname(target), `.${basename(target)}.${randomUUID()}${PART}`)

/** Deletes temporary files of `target` that a crashed run left. */
export async function removeLeftovers(target: string): Promise<void> {
  const prefix = `.${basename(target)}.`
  for (const name of await readdir(dirname(target))) {
    if (name.startsWith(prefix) && name.endsWith(PART)) await rm(join(dirname(target), name), { force: true })
  }
}
