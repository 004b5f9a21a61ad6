import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, opendir, readFile, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { measured, oneChunk, sha256Of } from '#platform/storage/chunks.ts'
import { NO_LINK, openFolder, type OpenFolder } from '#platform/storage/open-folder.ts'
import {
  deleteOlder,
  pathExists,
  linkDurably,
  makeFolder,
  removeFile,
  deleteTemporaryFiles,
  renameDurably,
  syncFolder,
  temporaryBeside,
  writeDurably,
} from '#platform/storage/durable-file.ts'
import {
  listedFolder,
  ifMissing,
  isMissing,
  SOURCES,
  StorageConflictError,
  StorageCorruptError,
  systemCode,
  type NewFile,
  type PutOptions,
  type StagedFile,
  type Storage,
} from '#platform/storage/storage.ts'

const NAME = '.name'

/**
 * Storage in a local or mounted folder: `.incoming/`, `.sources/` and a folder for each company below `root`.
 */
export function openLocalDisk(root: string): Storage {
  const incoming = join(root, '.incoming')
  const files = join(root, SOURCES)
  const localPath = (path: string) => insideOf(root, path)
  return {
    stage: (source, maxBytes) => stage(join(incoming, randomUUID()), source, maxBytes, localPath),
    async put(wanted, options) {
      // Without it the storage is unavailable, and company folders must not be created in its place.
      await stat(files)
      await put(wanted, options, root)
    },
    read(path) {
      const full = localPath(path)
      return read(() => at(root, full, openFile))
    },
    useFile: (path, work) => work(localPath(path)),
    streamFile: (path, work) => work({ path: localPath(path) }),
    async exists(path) {
      const found = await at(root, localPath(path), pathExists).catch(falseIfMissing)
      if (!found) await stat(files)
      return found
    },
    async delete(path) {
      if (!(await at(root, localPath(path), removeFile).catch(falseIfMissing))) await stat(files)
    },
    list: (of, before) => listBelow(join(root, listedFolder(of)), listedFolder(of), before),
    sweepStaged: (before) => deleteOlder(incoming, before),
    async id() {
      const id = await readFile(join(root, NAME), 'utf8').catch(ifMissing(null))
      if (id !== null) for (const folder of [incoming, files]) await stat(folder)
      return id && id.trim()
    },
    async setId(id) {
      for (const folder of [incoming, files]) await makeFolder(folder)
      const temporary = join(incoming, randomUUID())
      try {
        await writeDurably(temporary, oneChunk(Buffer.from(id)))
        await linkDurably(temporary, join(root, NAME))
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error
        throw new StorageConflictError(`${root} has an id already`)
      } finally {
        await rm(temporary, { force: true })
      }
    },
    async space() {
      const { bsize, bavail, blocks } = await statfs(incoming)
      return { free: bsize * bavail, total: bsize * blocks }
    },
    async check() {
      const trial = await stage(join(incoming, randomUUID()), oneChunk(new Uint8Array(1)), 1, localPath)
      await trial.discard()
    },
  }
}

/** Opening a pipe that nobody writes would wait for ever, and keep a thread of this process. */
const NO_WAIT = constants.O_NONBLOCK ?? 0
const openFile = (path: string): Promise<FileHandle> => open(path, constants.O_RDONLY | NO_LINK | NO_WAIT)

const falseIfMissing = ifMissing(false, isMissing)

/** The folder of a file. Ours are as they are: companies have no rights there. */
async function folderOf(root: string, localPath: string, isMade: boolean): Promise<OpenFolder> {
  const names = relative(root, dirname(localPath)).split(sep).filter(Boolean)
  if (!names[0]?.startsWith('.')) return openFolder(root, names, isMade)
  const path = dirname(localPath)
  if (isMade) await makeFolder(path)
  return { path, close: async () => {} }
}

/** Calls `work` with a path of the file that leads through no link. */
async function at<T>(root: string, localPath: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await folderOf(root, localPath, false)
  return work(join(folder.path, basename(localPath))).finally(folder.close)
}

/** Our own paths never leave the root; this checks it once more. */
function insideOf(root: string, path: string): string {
  const full = join(root, ...path.split('/'))
  if (!full.startsWith(root + sep)) throw new Error(`Storage path leaves its root: ${path}`)
  return full
}

async function stage(
  temporary: string,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  localPath: (path: string) => string,
): Promise<StagedFile> {
  const { chunks, result } = measured(source, maxBytes)
  let isKept = false
  const discard = async () => void (isKept || (await removeIfPossible(temporary)))
  try {
    await writeDurably(temporary, chunks)
  } catch (error) {
    await discard()
    throw error
  }
  return {
    ...result(),
    async keep(path) {
      await renameDurably(temporary, localPath(path))
      isKept = true
    },
    discard,
  }
}

/** `isNamed`: the temporary name is gone. */
type WrittenFile = { temporary: string; target: string; sha256: string; isNamed: boolean }

async function put(files: readonly NewFile[], options: PutOptions = {}, root: string): Promise<void> {
  const folders = new Map<string, OpenFolder>()
  try {
    const wanted = []
    for (const { path, ...file } of files) {
      const full = insideOf(root, path)
      const folder = folders.get(dirname(full)) ?? (await folderOf(root, full, true))
      folders.set(dirname(full), folder)
      wanted.push({ ...file, target: join(folder.path, basename(full)) })
    }
    await putAll(wanted, options)
  } finally {
    for (const folder of folders.values()) await folder.close()
  }
}

async function putAll(
  wanted: readonly (Omit<NewFile, 'path'> & { target: string })[],
  { isFirst = false, mayUndo = async () => true }: PutOptions,
): Promise<void> {
  // Reads the whole folder. Another run that writes a target now has lost its lease; it fails because its
  // temporary file is gone.
  if (!isFirst) for (const { target } of wanted) await deleteTemporaryFiles(target)
  const written: WrittenFile[] = []
  const writing: Promise<void>[] = []
  try {
    for (const { target, source, sha256 } of wanted) {
      if (await pathExists(target)) {
        await expectSame(target, sha256)
        continue
      }
      const temporary = temporaryBeside(target)
      written.push({ temporary, target, sha256, isNamed: false })
      const isWritten = writeChecked(temporary, source, sha256)
      // Without a listener, a failure before the next file is looked for would end the process.
      isWritten.catch(() => {})
      writing.push(isWritten)
    }
    // At the same time: each waits for the disk.
    await Promise.all(writing)
    await nameAll(
      written,
      wanted.map(({ target }) => target),
      mayUndo,
    )
  } finally {
    await Promise.allSettled(writing)
    // The next run deletes what stays.
    for (const { temporary, isNamed } of written) if (!isNamed) await removeIfPossible(temporary)
  }
}

async function writeChecked(path: string, source: AsyncIterable<Uint8Array>, sha256: string): Promise<void> {
  const { chunks, result } = measured(source)
  await writeDurably(path, chunks)
  if (result().sha256 !== sha256)
    throw new StorageCorruptError(`the bytes for ${path} are not those that were uploaded`)
}

/**
 * Gives all files their names, or none, because a single one would look saved; but deletes none that
 * `mayUndo` says another run may take. `targets` are all files that must exist then.
 */
async function nameAll(
  files: readonly WrittenFile[],
  targets: readonly string[],
  mayUndo: () => Promise<boolean>,
): Promise<void> {
  const named: string[] = []
  try {
    for (const file of files) {
      const { temporary, target, sha256 } = file
      file.isNamed = await nameOne(temporary, target, sha256, mayUndo)
      if (file.isNamed) named.push(target)
    }
    // A process of the previous version may have deleted one, after it lost its lease.
    for (const target of targets) await stat(target)
  } catch (error) {
    if (named.length > 0 && (await mayUndo()))
      for (const target of named.reverse()) await rm(target, { force: true })
    throw error
  }
}

/** false if the same file was written there meanwhile. */
async function nameOne(
  temporary: string,
  target: string,
  sha256: string,
  mayUndo: () => Promise<boolean>,
): Promise<boolean> {
  try {
    await linkDurably(temporary, target, async () => (await mayUndo()) && removeFile(target))
    return true
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    await expectSame(target, sha256)
    return false
  }
}

/** Deletes a file that is no longer needed. If that fails, the sweep or the next run deletes it. */
const removeIfPossible = async (path: string): Promise<void> => void (await removeFile(path).catch(() => {}))

/** Reads a file. Not as a stream, because a stream that fails before it is read ends the process. */
async function* read(opened: () => Promise<FileHandle>): AsyncIterable<Uint8Array> {
  const file = await opened()
  yield* file.createReadStream() as AsyncIterable<Uint8Array>
}

async function expectSame(target: string, sha256: string): Promise<void> {
  const found = await sha256Of(read(() => openFile(target))).catch((error: unknown) => {
    if (systemCode(error) === 'ELOOP') return null
    throw error
  })
  await syncFolder(dirname(target))
  if (found !== sha256) throw new StorageConflictError(`another file has the name ${basename(target)}`)
}

/** Lists the files below a folder that are older. Hidden files are the portal's own and left out. */
async function* listBelow(folder: string, path: string, before: Date): AsyncIterable<string> {
  // None: deleted since its name was read.
  const entries = await opendir(folder).catch(ifMissing([]))
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    const full = join(folder, entry.name)
    if (entry.isDirectory()) yield* listBelow(full, below, before)
    else if (((await lstat(full).catch(() => null))?.mtime ?? before) < before) yield below
  }
}
