import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { Db, SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { sha256Of } from '#platform/storage/chunks.ts'
import { sourcePath, type Storage, storageKeyOf, systemCode } from '#platform/storage/storage.ts'
import { sweepStorage } from '#submissions/sweep-storage.ts'
import { describeSubmission, rowsOf, type TestedSystem, violation } from '#test/chaos/invariants.ts'

/**
 * I1 and I2 of one submission: its file is where its row says. After a mismatch it reads the row again,
 * because a run may move the submission, and its file, during the check.
 */
export async function checkFile(
  before: SubmissionRow,
  { db, storage, seen }: TestedSystem,
): Promise<string[]> {
  for (let row = before; ;) {
    const path = pathOf(row)
    if (path === null || (seen?.has(path) && (await storage.exists(path)))) return []
    const hash = await hashOf(path, storage)
    if (hash === row.sha256) {
      seen?.add(path)
      return []
    }
    const now = await findRow(db, row.id)
    if (now === undefined) return [violation('I1', `the row of ${describeSubmission(row)} is gone`)]
    if (now.status === row.status && pathOf(now) === path)
      return [
        violation(
          'I2',
          `${path} of ${describeSubmission(row)} ${hash === null ? 'is missing' : 'is damaged'}`,
        ),
      ]
    row = now
  }
}

function pathOf({ status, storageKey, targetPath, sourceDeletedAt }: SubmissionRow): string | null {
  if (status === SubmissionStatus.IngestionSuccess) return targetPath ?? 'a target path'
  if (status === SubmissionStatus.IngestionFileNotFound || sourceDeletedAt !== null) return null
  return sourcePath(storageKey)
}

async function hashOf(path: string, storage: Storage): Promise<string | null> {
  try {
    return await sha256Of(storage.read(path))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}

const everything = () => new Date(Date.now() + 3_600_000)
const withoutSideFile = (path: string) => path.replace(/\.json$/, '')

/** I4: every file that a company can see belongs to a submission, and is complete. */
export async function checkTargets({ db, storage, uploads, seen }: TestedSystem): Promise<string[]> {
  const paths = new Set(await Array.fromAsync(storage.list('companies', everything())))
  const known = new Map(
    (await rowsOf({ db, storage, uploads })).flatMap((row) =>
      row.targetPath ? [[row.targetPath, row]] : [],
    ),
  )
  const targets = db.selectFrom('submissions').where('targetPath', 'is not', null).select('targetPath')
  const others = new Set((await targets.execute()).map(({ targetPath }) => targetPath))
  const found: string[] = []
  for (const path of paths) {
    const target = withoutSideFile(path)
    const row = known.get(target)
    if (!others.has(target)) found.push(violation('I4', `${path} belongs to no submission`))
    // A run that failed deletes its file again, which may happen during this check.
    else if (row !== undefined && !seen?.has(path)) {
      if (await isComplete(path, row, storage)) seen?.add(path)
      else if (await hashOf(path, storage))
        found.push(violation('I4', `${path} of ${describeSubmission(row)} is not complete`))
    }
  }
  return found
}

async function isComplete(path: string, row: SubmissionRow, storage: Storage): Promise<boolean> {
  if (path === row.targetPath) return (await hashOf(path, storage)) === row.sha256
  try {
    const content = await Array.fromAsync(storage.read(path))
    const { submissionId, sha256 } = JSON.parse(Buffer.concat(content).toString())
    return submissionId === row.id && sha256 === row.sha256
  } catch {
    return false
  }
}

/** I4 after the faults: each passed submission has one file with its description, all others have none. */
export async function checkStoredOnce(system: TestedSystem): Promise<string[]> {
  const rows = await rowsOf(system)
  const paths = await Array.fromAsync(system.storage.list('companies', everything()))
  return rows.flatMap((row) => {
    const own = paths.filter((path) => path.split('/').at(-1)?.startsWith(`${row.id}_`)).toSorted()
    const isStored = row.status === SubmissionStatus.IngestionSuccess
    const expected = isStored ? [`${row.targetPath}`, `${row.targetPath}.json`] : []
    return own.join() === expected.join()
      ? []
      : [violation('I4', `${describeSubmission(row)} has the files ${own.join() || 'none'}`)]
  })
}

/**
 * I2, files without a row: runs the sweep as if an hour had passed, and reports the orphaned files that are
 * left. Nothing may write to the storage meanwhile.
 */
export async function findOrphanedFiles(
  { db, storage }: TestedSystem,
  deps: Pick<Deps, 'env' | 'log'>,
): Promise<string[]> {
  const later: Storage = {
    ...storage,
    list: (of) => storage.list(of, everything()),
    sweepStaged: () => storage.sweepStaged(everything()),
  }
  await sweepStorage({ ...deps, db, storage: { ...later, confirm: async () => {} } as Deps['storage'] })
  const sources = await Array.fromAsync(storage.list('sources', everything()))
  const { rows } = await sql<{ storageKey: string }>`
    select storage_key as "storageKey" from submissions
    where source_deleted_at is null and status <> ${SubmissionStatus.IngestionFileNotFound}
  `.execute(db)
  const needed = new Set(rows.map(({ storageKey }) => storageKey))
  return [
    ...sources
      .filter((path) => !needed.has(storageKeyOf(path)))
      .map((path) => violation('I2', `${path} belongs to no submission and was not swept`)),
    ...((await storage.sweepStaged(everything())) > 0
      ? [violation('I2', 'the sweep left uploads that were never kept')]
      : []),
  ]
}

const findRow = (db: Db, id: number): Promise<SubmissionRow | undefined> =>
  db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst()
