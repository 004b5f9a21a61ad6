import { constants, existsSync } from 'node:fs'
import { lstat, open, readlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolderIn } from '#platform/storage/durable-file.ts'
import { ifMissing, isMissing, systemCode } from '#platform/storage/storage.ts'

/** Not on Windows, where nobody makes links without rights of their own. */
export const NO_LINK = constants.O_NOFOLLOW ?? 0
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_LINK

/** Where Linux has each open file of this process under its number. */
const HANDLES = '/proc/self/fd'
const hasHandles = existsSync(HANDLES)

/** `path`: for calls of the file system until `close`. */
export type OpenFolder = { path: string; close(): Promise<void> }

/**
 * Follows no symbolic link below `root`: who may write in a company's folder could send the portal elsewhere.
 * The path leads to the open folder, whatever has its name by then; except on Linux, it was only checked.
 * Throws ELOOP for a link, ENOTDIR for a file, and unless `isMade` ENOENT for what is missing.
 */
export async function openFolder(
  root: string,
  names: readonly string[],
  isMade = false,
): Promise<OpenFolder> {
  if (process.platform === 'win32') return plainFolder(root, names, isMade)
  let path = root
  const whole = hasHandles ? await openAtOnce(join(root, ...names)) : null
  let folder = whole ?? (await open(root, FOLDER & ~NO_LINK))
  const pathOfFolder = () => (hasHandles ? `${HANDLES}/${folder.fd}` : path)
  for (const name of whole === null ? names : []) {
    path = join(path, name)
    folder = await openBelow(pathOfFolder(), name, path, isMade).finally(() => folder.close())
  }
  return { path: pathOfFolder(), close: () => folder.close() }
}

/** null: `path` leads through a link, which then opens a folder elsewhere for a moment, or to nothing. */
async function openAtOnce(path: string): Promise<FileHandle | null> {
  const folder = await open(path, FOLDER).catch(ifMissing(null, isMissing))
  if (folder === null || (await readlink(`${HANDLES}/${folder.fd}`).catch(() => null)) === path) return folder
  await folder.close()
  return null
}

/** Follows links. */
export async function plainFolder(
  root: string,
  names: readonly string[],
  isMade: boolean,
): Promise<OpenFolder> {
  let path = root
  for (const name of names) path = isMade ? await makeFolderIn(path, name) : join(path, name)
  return { path, close: async () => {} }
}

/** `shown`: its path for people. */
async function openBelow(parent: string, name: string, shown: string, isMade: boolean): Promise<FileHandle> {
  const path = join(parent, name)
  try {
    return await open(path, FOLDER)
  } catch (error) {
    if (isMade && systemCode(error) === 'ENOENT') {
      await makeFolderIn(parent, name)
      return openBelow(parent, name, shown, false)
    }
    // Not ENOTDIR, as if the file were missing: nothing may be concluded from it.
    if (systemCode(error) === 'ENOTDIR' && (await lstat(path)).isSymbolicLink())
      throw Object.assign(new Error(`${shown} is a symbolic link`), { code: 'ELOOP' })
    throw error
  }
}
