import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, opendir, readFile, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { measured, oneChunk, sha256Of } from '#platform/storage/chunks.ts'
import { putAll, type Unnamed } from '#platform/storage/put-all.ts'
import { NO_LINK, openFolder, plainFolder, type OpenFolder } from '#platform/storage/open-folder.ts'
import {
  deleteOlder,
  pathExists,
  makeFolder,
  nameNewFile,
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
  systemCode,
  type NewFile,
  type PutOptions,
  type StagedFile,
  type Storage,
} from '#platform/storage/storage.ts'

const NAME = '.name'

/** A local or mounted folder: `.incoming/`, `.sources/` and a folder for each company below `root`. */
export function openLocalDisk(root: string): Storage {
  const incoming = join(root, '.incoming')
  const files = join(root, SOURCES)
  const localPath = (path: string) => insideOf(root, path)
  return {
    stage: (source) => stage(join(incoming, randomUUID()), source, localPath),
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
        await nameNewFile(temporary, join(root, NAME))
        await syncFolder(root)
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
      const trial = await stage(join(incoming, randomUUID()), oneChunk(new Uint8Array(1)), localPath)
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
  return (names[0]?.startsWith('.') ? plainFolder : openFolder)(root, names, isMade)
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
  localPath: (path: string) => string,
): Promise<StagedFile> {
  const written = await write(temporary, source)
  let isKept = false
  return {
    ...written,
    async keep(path) {
      await renameDurably(temporary, localPath(path))
      isKept = true
    },
    discard: async () => void (isKept || (await removeIfPossible(temporary))),
  }
}

async function write(temporary: string, source: AsyncIterable<Uint8Array>) {
  const { chunks, result } = measured(source)
  try {
    await writeDurably(temporary, chunks)
    return result()
  } catch (error) {
    await removeIfPossible(temporary)
    throw error
  }
}

async function put(files: readonly NewFile[], options: PutOptions = {}, root: string): Promise<void> {
  const folders = new Map<string, OpenFolder>()
  const targets = new Map<string, string>()
  const targetOf = (path: string) => targets.get(path) as string
  try {
    for (const { path } of files) {
      const full = insideOf(root, path)
      const folder = folders.get(dirname(full)) ?? (await folderOf(root, full, true))
      folders.set(dirname(full), folder)
      targets.set(path, join(folder.path, basename(full)))
    }
    // Reads the whole folder. Another run that writes here has lost its lease; without its file it fails.
    if (!options.isFirst) for (const target of targets.values()) await deleteTemporaryFiles(target)
    const steps = {
      prepare: (file: NewFile) => prepare(targetOf(file.path), file, options),
      remove: (path: string) => rm(targetOf(path), { force: true }),
      async confirm() {
        for (const folder of folders.values()) await syncFolder(folder.path)
        for (const target of targets.values()) await stat(target)
      },
    }
    await putAll(files, steps, options)
  } finally {
    for (const folder of folders.values()) await folder.close()
  }
}

/** Writes a file beside its target. The next run deletes what stays. */
async function prepare(
  target: string,
  { source, sha256 }: NewFile,
  { isFirst = false }: PutOptions,
): Promise<Unnamed | null> {
  if (!isFirst && (await pathExists(target))) {
    await expectSame(target, sha256)
    return null
  }
  const temporary = temporaryBeside(target)
  const written = await write(temporary, source)
  return {
    sha256: written.sha256,
    async name() {
      try {
        await nameNewFile(temporary, target)
        return true
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error
        await expectSame(target, sha256)
        return false
      }
    },
    discard: () => removeFile(temporary),
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
