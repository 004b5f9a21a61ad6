import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { copyTablesFrom } from '#platform/database/copy-tables.ts'
import { migrateTo } from '#platform/database/migrate.ts'
import type { Db } from '#platform/database/tables.ts'
import { openDatabase } from '#platform/database/database.ts'
import { rowsOf } from '#platform/database/rows.ts'
import { sha256Of } from '#platform/storage/chunks.ts'
import { pathExists } from '#platform/storage/durable-file.ts'
import {
  aDayAhead,
  type NewFile,
  type Storage,
  StorageConflictError,
  StorageUnavailableError,
} from '#platform/storage/storage.ts'
import { recordStorageId } from '#platform/storage/identify-storage.ts'
import { filesOf, type StoredSubmission } from '#submissions/submission-sources.ts'
import { idAboveAll, statementsAfterRestore } from '#operations/after-restore.ts'
import { backupPaths, readBackedUpSubmissions, readManifest } from '#operations/back-up.ts'

type Needs = { storage: Storage; databaseUrl: string; newId: () => string }

/** `problems`: files of the backup that could not be put back, because others have their place. */
export type Restored = { submissions: number; files: number; problems: string[] }

/**
 * Into an empty database, and a new storage or the backup's. First the files: after a crash the database is
 * still empty, and it can be repeated. Then one transaction: no portal starts on a part of it.
 */
export async function restore(folder: string, deps: Needs): Promise<Restored> {
  const manifest = await readManifest(folder)
  await migrateTo(deps.databaseUrl, manifest.database.migrations)
  await using db = openDatabase(deps.databaseUrl)
  const rows = await rowsOf(db)`(select from users limit 1) union all (select from submissions limit 1)`
  if (rows.length > 0) throw new Error('The database is not empty. Restore into an empty one.')
  const storageId = await takeStorage(manifest.storageId, db, deps)
  const restored = await restoreFiles(folder, deps)
  await copyTablesFrom(deps.databaseUrl, backupPaths(folder).database, manifest.database, [
    ...statementsAfterRestore(await idAboveAll(deps.storage)),
    { text: 'delete from storage_identity' },
    { text: 'insert into storage_identity (id, is_confirmed) values ($1, true)', values: [storageId] },
    {
      text: `update submissions set source_deleted_at = now() where id = any ($1) and status = $2`,
      values: [manifest.goneIds, SubmissionStatus.ValidationFailed],
    },
  ])
  return restored
}

/** Returns the id of the storage: another than in the backup where the storage is a new one. */
async function takeStorage(backedUpId: string, db: Db, { storage, newId }: Needs): Promise<string> {
  const { id } = await recordStorageId(db, newId())
  const found = await storage.id()
  if (found === backedUpId || found === id) return found
  if (found !== null || !(await isEmpty(storage)))
    throw new StorageUnavailableError('STORAGE_URL has files of another database. Choose an empty storage.')
  await storage.setId(id)
  return id
}

async function isEmpty(storage: Storage): Promise<boolean> {
  for (const kind of ['sources', 'companies'] as const)
    for await (const _path of storage.list(kind, aDayAhead())) return false
  return true
}

async function restoreFiles(folder: string, { storage }: Needs): Promise<Restored> {
  const { files } = backupPaths(folder)
  const restored: Restored = { submissions: 0, files: 0, problems: [] }
  for await (const submission of readBackedUpSubmissions(folder)) {
    restored.submissions++
    const found = await findFiles(submission, files)
    try {
      if (found.length > 0) await storage.put(found)
      restored.files += found.length
    } catch (error) {
      if (!(error instanceof StorageConflictError)) throw error
      restored.problems.push(`submission ${submission.id}: ${error.message}`)
    }
  }
  return restored
}

/** The files of a submission that the backup has. */
async function findFiles(submission: StoredSubmission, folder: string): Promise<NewFile[]> {
  const found: NewFile[] = []
  for (const { path, sha256 } of filesOf(submission)) {
    const local = join(folder, path)
    if (await pathExists(local))
      found.push({ path, source: bytesOf(local), sha256: sha256 ?? (await sha256Of(bytesOf(local))) })
  }
  return found
}

/** Opened when it is read: a stream that fails before ends the process. */
async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>
}
