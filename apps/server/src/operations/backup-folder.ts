import { open, readdir, readFile, rename } from 'node:fs/promises'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { DatabaseCopy } from '#platform/database/copy-tables.ts'
import type { StoredSubmission } from '#submissions/submission-sources.ts'

/** Written last: a folder without it is an unfinished backup. */
const MANIFEST = 'backup.json'

export type BackupManifest = {
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
  secrets: join(folder, 'secrets'),
  /** One line for each submission, as the database was copied. */
  submissions: join(folder, 'submissions.jsonl'),
})

/** Secrets of DATA_DIR, where they are not settings. */
export const secretFiles = ['api-key', 'token-secret']

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const path = join(folder, MANIFEST)
  const file = await open(`${path}.part`, 'w', 0o600)
  await file.writeFile(JSON.stringify(manifest, null, 2) + '\n')
  await file.sync()
  await file.close()
  await rename(`${path}.part`, path)
}

/** Throws a sentence for the operator where there is no complete backup. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null) throw new Error(`There is no complete backup in ${folder}.`)
  const manifest = JSON.parse(text) as BackupManifest
  if (manifest.version !== 1) throw new Error('The backup was made by a newer version of the portal.')
  return manifest
}

export const isComplete = (folder: string): boolean => existsSync(join(folder, MANIFEST))

export async function isEmptyFolder(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length === 0
}

export async function* readBackedUpSubmissions(folder: string): AsyncIterable<StoredSubmission> {
  const lines = createInterface({ input: createReadStream(backupPaths(folder).submissions) })
  for await (const line of lines) yield JSON.parse(line) as StoredSubmission
}
