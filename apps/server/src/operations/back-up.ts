import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInterface } from 'node:readline'
import { checkTableFiles, copyTablesTo, type DatabaseCopy } from '#platform/database/copy-tables.ts'
import type { Db } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { measured, sha256Of } from '#platform/storage/chunks.ts'
import { makeFolder, writeDurably } from '#platform/storage/durable-file.ts'
import { ifMissing, isMissing, sourcePath } from '#platform/storage/storage.ts'
import { makePrivateFolder } from '#platform/private-folder.ts'
import {
  filesOf,
  findStoredSubmission,
  listStoredSubmissions,
  type StoredSubmission,
} from '#submissions/submission-sources.ts'

type Needs = Pick<Deps, 'db' | 'storage'> & { databaseUrl: string }

/** `problems`: files that the storage lacks or has with other bytes, which the backup therefore lacks. */
export type Backup = { submissions: number; files: number; problems: string[] }

/**
 * Into an empty folder, also beside a running portal: first the database, as of one moment, then its files.
 * Later uploads are absent. A source ingested meanwhile is copied from the company's folder: the same bytes.
 */
export async function backUp(folder: string, deps: Needs): Promise<Backup> {
  if (!(await isEmptyFolder(folder))) throw new Error(`${folder} is not empty. Choose a new folder.`)
  await deps.storage.confirm()
  const paths = backupPaths(folder)
  makePrivateFolder(folder)
  for (const path of [paths.database, paths.files]) await mkdir(path, { mode: 0o700 })
  const createdAt = new Date().toISOString()
  const database = await copyTablesTo(deps.databaseUrl, paths.database, (snapshot) =>
    writeSubmissions(snapshot, paths.submissions),
  )

  const backup: Backup = { submissions: 0, files: 0, problems: [] }
  await checkTableFiles(paths.database, database)
  const goneIds: number[] = []
  for await (const submission of readBackedUpSubmissions(folder)) {
    backup.submissions++
    const isThere = await copyFiles(submission, paths.files, backup, deps)
    if (!isThere) goneIds.push(submission.id)
  }
  const storageId = (await deps.storage.id()) as string
  await writeManifest(folder, { version: 1, createdAt, storageId, database, goneIds })
  return backup
}

const BACKUP_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
/** The name of a backup in a folder of several; names sort by time. */
export const backupName = (at: Date): string => at.toISOString().slice(0, 19).replaceAll(':', '-') + 'Z'

/** Keeps the newest `count` complete ones; returns the deleted. `made` is the newest, whatever its name. */
export async function deleteOldBackups(folder: string, made: string, count: number): Promise<string[]> {
  const others = (await readdir(folder)).filter((name) => BACKUP_NAME.test(name) && name !== made)
  const names = [...others.toSorted(), made]
  const complete = names.filter((name) => isComplete(join(folder, name)))
  const oldestKept = complete.at(-count) ?? made
  const old = complete.length < count ? [] : names.slice(0, names.indexOf(oldestKept))
  for (const name of old) await rm(join(folder, name), { recursive: true })
  return old
}

async function writeSubmissions(db: Db, path: string): Promise<void> {
  async function* lines() {
    for await (const submission of listStoredSubmissions(db)) yield JSON.stringify(submission) + '\n'
  }
  await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600, flush: true }))
}

/** Copies what a submission needs. false if its source was deleted since the database was copied. */
async function copyFiles(
  submission: StoredSubmission,
  folder: string,
  backup: Backup,
  deps: Needs,
): Promise<boolean> {
  const { id, storageKey } = submission
  const copy = async (from: string, to: string, expected: string | null): Promise<boolean> => {
    const found = await copyOne(from, join(folder, to), expected, deps)
    if (found === 'copied') backup.files++
    if (found === 'damaged') backup.problems.push(`submission ${id}: ${from} is damaged`)
    return found !== 'missing'
  }
  for (const { path, sha256 } of filesOf(submission)) {
    if (await copy(path, path, sha256)) continue
    // A source may have been ingested or deleted meanwhile.
    const now = path === sourcePath(storageKey) ? await findStoredSubmission(deps.db, id) : submission
    const from = now && filesOf(now)[0]?.path
    if (from === undefined) return false
    const isElsewhere = now !== submission && from !== path
    if (!isElsewhere || !(await copy(from, path, sha256)))
      backup.problems.push(`submission ${id}: ${isElsewhere ? from : path} is missing`)
  }
  return true
}

async function copyOne(
  from: string,
  to: string,
  expected: string | null,
  { storage }: Needs,
): Promise<'copied' | 'missing' | 'damaged'> {
  const part = `${to}.${randomUUID()}.part`
  const { chunks, result } = measured(storage.read(from))
  await makeFolder(dirname(to))
  try {
    await writeDurably(part, chunks)
    const { sha256 } = result()
    if (expected !== null && sha256 !== expected) return 'damaged'
    if ((await sha256Of(createReadStream(part))) !== sha256) throw new Error(`${part} cannot be read back.`)
    await rename(part, to)
    return 'copied'
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw error
  } finally {
    await rm(part, { force: true })
  }
}

/** Written last: a folder without it is an unfinished backup. */
const MANIFEST = 'backup.json'

type BackupManifest = {
  version: 1
  createdAt: string
  storageId: string
  database: DatabaseCopy
  /** Submissions in status 2 or 5 whose source was deleted as planned while the backup was made. */
  goneIds: number[]
}

/** What is where in a backup. Files of the storage have their paths below `files`. */
export const backupPaths = (folder: string) => ({
  database: join(folder, 'database'),
  files: join(folder, 'files'),
  /** One line for each submission, as the database was copied. */
  submissions: join(folder, 'submissions.jsonl'),
})

async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const path = join(folder, MANIFEST)
  const text = JSON.stringify(manifest, null, 2) + '\n'
  await writeFile(`${path}.part`, text, { mode: 0o600, flush: true })
  await rename(`${path}.part`, path)
}

/** Throws a sentence for the operator where there is no complete backup. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(ifMissing(null, isMissing))
  if (text === null) throw new Error(`There is no complete backup in ${folder}. Choose another one.`)
  const manifest = JSON.parse(text) as BackupManifest
  if (manifest.version !== 1) throw new Error('A newer version made the backup. Restore it with that one.')
  return manifest
}

const isComplete = (folder: string): boolean => existsSync(join(folder, MANIFEST))

async function isEmptyFolder(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length === 0
}

export async function* readBackedUpSubmissions(folder: string): AsyncIterable<StoredSubmission> {
  const lines = createInterface({ input: createReadStream(backupPaths(folder).submissions) })
  for await (const line of lines) yield JSON.parse(line) as StoredSubmission
}
