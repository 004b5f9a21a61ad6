import { isDatabaseDown } from '#platform/database/database-down.ts'
import type { Db, SubmissionRow, Trx } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { Transaction } from 'kysely'
import {
  sourcePath,
  type Storage,
  StorageCorruptError,
  StorageUnavailableError,
  systemCode,
} from '#platform/storage/storage.ts'
import { lockStorageFolderForShare } from '#companies/companies.ts'
import { type Ingestable, isIngestedAt } from '#submissions/side-file.ts'
import { safeFileName } from '#platform/storage/receive-upload.ts'

export type Targeted = Pick<
  SubmissionRow,
  'id' | 'companyId' | 'fileName' | 'storageKey' | 'createdAt' | 'targetPath'
>

/** `<folder>/<yyyy>/<MM>/<id>_<safe file name>`, by time of upload (UTC). The id makes it unique. */
export const targetPathOf = (submission: Targeted, folder: string): string =>
  `${folder}/${pathInFolderOf(submission)}`

/** The part of it below the company's folder. */
export function pathInFolderOf(submission: Targeted): string {
  const [year, month] = submission.createdAt.toISOString().split('-')
  return `${year}/${month}/${targetNameOf(submission, 0)}`
}

/** Follows `path` when that belongs to another file or was given up. */
export const nextTargetPathOf = (submission: Targeted, path: string): string =>
  folderOf(path) + targetNameOf(submission, attemptOf(submission, path) + 1)

/** The paths that were tried before this one. Some may belong to other files. */
export const earlierTargetPathsOf = (submission: Targeted, path: string): string[] =>
  Array.from(
    { length: attemptOf(submission, path) },
    (_unused, attempt) => folderOf(path) + targetNameOf(submission, attempt),
  )

/** The recorded path, or the first that a run would use. If `db` is a transaction, reads in it. */
export async function findTargetPath(submission: Targeted, db: Db): Promise<string> {
  if (submission.targetPath !== null) return submission.targetPath
  const lockFolder = (trx: Trx) => lockStorageFolderForShare(trx, submission.companyId)
  // A second connection for each transaction could use up the pool, and all would wait for each other.
  const folder = await (db instanceof Transaction ? lockFolder(db) : inTransaction(db, lockFolder))
  return targetPathOf(submission, folder)
}

/**
 * Where both files already are, stored by a frozen run or one that a restore forgot; null if nowhere. Not
 * before `from`: a run that gave up an earlier path may still delete there. `unreadable`: whether such a path
 * is empty or an error. Throws while the storage is not available.
 */
export async function findIngestedPath(
  submission: Targeted & Ingestable,
  { from, unreadable }: { from: string; unreadable: 'empty' | 'error' },
  storage: Storage,
): Promise<string | null> {
  for (const path of pathsFrom(submission, from))
    try {
      if (await isIngestedAt(path, submission, storage)) return path
    } catch (error) {
      if (unreadable === 'error' || !isUnreadable(error)) throw error
    }
  return null
}

/** False for an unavailable storage, and for an error of the database with the storage id. */
export const isUnreadable = (error: unknown): boolean =>
  systemCode(error) !== undefined && !(error instanceof StorageUnavailableError) && !isDatabaseDown(error)

/** The path, and the ones that later runs most likely used. */
function pathsFrom(submission: Targeted, path: string): string[] {
  const next = nextTargetPathOf(submission, path)
  return [path, next, nextTargetPathOf(submission, next)]
}

/** From the second attempt on `<id>_<8 digits>-<number>_<name>`, with a part of the random storage key. */
function targetNameOf({ id, storageKey, fileName }: Targeted, attempt: number): string {
  const key = storageKey.slice(0, KEY_DIGITS)
  const parts = [`${id}_`, `${id}_${key}_`]
  return (parts[attempt] ?? `${id}_${key}-${attempt}_`) + safeFileName(fileName)
}

function attemptOf(submission: Targeted, path: string): number {
  const { id, storageKey } = submission
  const name = path.slice(folderOf(path).length)
  if (name === targetNameOf(submission, 0)) return 0
  const found = new RegExp(`^${id}_${storageKey.slice(0, KEY_DIGITS)}(?:-(\\d+))?_`).exec(name)
  return found === null ? 0 : Number(found[1] ?? 1)
}

const KEY_DIGITS = 8

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** Copies a missing source back from the company's folder. Returns whether it is there now. */
export async function restoreSource(
  submission: SubmissionRow,
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
): Promise<boolean> {
  const path = sourcePath(submission.storageKey)
  if (await storage.exists(path)) return true
  const recorded = await findTargetPath(submission, db)
  for (const target of [...pathsFrom(submission, recorded), ...earlierTargetPathsOf(submission, recorded)]) {
    if (!(await storage.exists(target))) continue
    const file = { path, source: storage.read(target), sha256: submission.sha256 }
    try {
      // After an error it is not deleted, because another run may already use it.
      await storage.put([file], { mayUndo: async () => false })
      return true
    } catch (error) {
      if (!(error instanceof StorageCorruptError)) throw error
    }
  }
  return false
}
