import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { Deps } from '#deps.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { oneChunk, sha256Of } from '#platform/storage/chunks.ts'
import {
  sourcePath,
  StorageConflictError,
  StorageUnavailableError,
  systemCode,
} from '#platform/storage/storage.ts'
import type { ClaimedSubmission } from '#submissions/submission-claims.ts'
import { changeTarget, nextStorageRetry, withoutLease } from '#submissions/submission-leases.ts'
import { moveSubmission, now, toStatusEvent } from '#submissions/submission-moves.ts'
import { forgetSourceDeleted, findStoredSubmission } from '#submissions/submission-sources.ts'
import { makeReceipt } from '#submissions/make-receipt.ts'
import { deleteUnneeded } from '#submissions/delete-unneeded.ts'
import { queueResultMail } from '#submissions/queue-result-mail.ts'
import { runUnderLease, type SubmissionRun } from '#submissions/run-under-lease.ts'
import { deleteFilesOfFailedRun, sideFileOf, sideFilePath } from '#submissions/side-file.ts'
import {
  earlierTargetPathsOf,
  findIngestedPath,
  findTargetPath,
  nextTargetPathOf,
  restoreSource,
} from '#submissions/target-path.ts'
import { queueWebhook } from '#webhooks/deliver-webhooks.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'jobs' | 'bus' | 'ids' | 'env' | 'log' | 'metrics' | 'tracing'>
/** `validatedAt`: null to read it from the history. `givenUp`: an abandoned path; its files are deleted. */
export type Ingestion = SubmissionRun & {
  targetPath: string
  givenUp: string | null
  validatedAt: Date | null
}

const { ValidationPassed, IngestionSuccess, IngestionFailed, IngestionFileNotFound } = SubmissionStatus

/** Copies the file exactly once and completely, despite interruptions. Throws without the storage. */
export function ingestClaimed(
  submission: ClaimedSubmission,
  deps: Needs,
  shutdown: AbortSignal,
): Promise<void> {
  return runUnderLease('ingestSubmission', submission, deps, shutdown, async (run) => {
    const targetPath = await recordTarget(run, deps)
    const ingestion = { ...run, targetPath, givenUp: null, validatedAt: null }
    await deps.tracing.span('ingest', () => ingestUnderLease(ingestion, deps))
  })
}

/** The run must have the lease and have recorded the target path. */
export async function ingestUnderLease(run: Ingestion, deps: Needs): Promise<void> {
  let isSettled = false
  try {
    const failure = await copyToCompany(run, deps)
    isSettled = failure === null ? await succeed(run, deps) : await fail(run, failure, deps)
  } finally {
    if (!isSettled) await deleteLateFiles(run, deps)
  }
}

/** The first run records the target path, so that a run after a crash finds what the first one wrote. */
async function recordTarget({ submission, leaseId }: SubmissionRun, { db }: Needs): Promise<string> {
  if (submission.targetPath !== null) return submission.targetPath
  return inTransaction(db, async (trx) => {
    const path = await findTargetPath(submission, trx)
    await expectLease(changeTarget(trx, submission.id, leaseId, path), submission)
    return path
  })
}

async function expectLease(hasLease: Promise<boolean>, { id }: SubmissionRow): Promise<void> {
  if (!(await hasLease)) throw new Error(`Submission ${id}: the lease was lost`)
}

/** null when both files are on disk. After an error both are deleted. `isElsewhere`: at a second path. */
async function copyToCompany(run: Ingestion, deps: Needs, isElsewhere = false): Promise<Error | null> {
  if (run.mayBeStored === true && !isElsewhere && (await isStored(run, 'empty', deps))) return null
  try {
    await putFiles(run, deps)
    return null
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error
    if (isElsewhere) return error as Error
    if (await isSourceGone(error, run, deps)) {
      if (await isStored(run, 'error', deps)) return null
      if (await restoreSource(run.submission, deps)) return copyToCompany(run, deps)
    }
    if (!(error instanceof StorageConflictError)) return error as Error
    // After a restore another file can be here: its id was given again, or this file was ingested.
    if (run.givenUp === null) {
      if (await isStored(run, 'error', deps)) return null
      await changeTargetOf(run, nextTargetPathOf(run.submission, run.targetPath), deps)
    }
    return copyToCompany(run, deps, true)
  }
}

async function isSourceGone(error: unknown, { submission }: Ingestion, { storage }: Needs): Promise<boolean> {
  return systemCode(error) === 'ENOENT' && !(await storage.exists(sourcePath(submission.storageKey)))
}

/** Whether a run that the database forgot stored it. `unreadable`: `empty` where that must not stop us. */
async function isStored(run: Ingestion, unreadable: 'empty' | 'error', deps: Needs): Promise<boolean> {
  const path = await findIngestedPath(run.submission, { from: run.targetPath, unreadable }, deps.storage)
  if (path === null) return false
  if (path !== run.targetPath) await changeTargetOf(run, path, deps)
  return true
}

/** Throws if the lease was lost. */
async function changeTargetOf(run: Ingestion, path: string, { db }: Needs): Promise<void> {
  await expectLease(changeTarget(db, run.submission.id, run.leaseId, path), run.submission)
  run.targetPath = path
}

async function putFiles(run: Ingestion, deps: Needs): Promise<void> {
  const { submission, targetPath: path, validatedAt } = run
  const { storage, db } = deps
  run.givenUp = null
  const content = await sideFileOf(submission, path, validatedAt, db)
  const sideFile = Buffer.from(JSON.stringify(content, null, 2) + '\n')
  const files = [
    { path, source: storage.read(sourcePath(submission.storageKey)), sha256: submission.sha256 },
    // Last, so that a side file never exists without the file that it describes.
    { path: sideFilePath(path), source: oneChunk(sideFile), sha256: await sha256Of(oneChunk(sideFile)) },
  ]
  let isGivenUp: Promise<boolean> | null = null
  await storage.put(files, {
    isFirst: validatedAt !== null,
    mayUndo: () => (isGivenUp ??= giveUpTarget(run, deps)),
  })
}

/**
 * Records another path before the deletion, so that no run uses this one again: frozen in between, this run
 * would later delete files that another has used and settled. False: not recorded; the files stay.
 */
async function giveUpTarget(run: Ingestion, deps: Needs): Promise<boolean> {
  const { targetPath: path } = run
  const of = { submissionId: run.submission.id, path }
  try {
    await changeTargetOf(run, nextTargetPathOf(run.submission, path), deps)
  } catch (error) {
    deps.log.warn({ err: error, ...of }, 'the files of a failed run stay in the company folder')
    return false
  }
  run.givenUp = path
  deps.log.warn(of, 'a failed run deletes its files; the next one uses another name')
  return true
}

/**
 * 3 → 4. If only the source is left to delete, the move records that at once, which saves an update; after a
 * crash in between the sweep deletes it. False if the lease was lost.
 */
async function succeed(run: Ingestion, deps: Needs): Promise<boolean> {
  const { submission, targetPath } = run
  const isAtFirst = earlierTargetPathsOf(submission, targetPath).length === 0
  const change = {
    ...withoutLease,
    attempts: 0,
    errorMessage: null,
    settledAt: now,
    targetPath,
    receipt: await receiptOf(run, deps),
    ...(isAtFirst ? { sourceDeletedAt: now } : {}),
  }
  const settled = await settle(run, { to: IngestionSuccess, change }, deps)
  if (settled === null) return false
  if (isAtFirst) {
    await deps.storage.delete(sourcePath(submission.storageKey))
    return true
  }
  const err = await deleteUnneeded(settled, deps)
  if (err !== null)
    deps.log.warn({ err, submissionId: settled.id }, 'the files of a failed run could not be deleted')
  return true
}

/** null if it cannot be made now: then the first call for it makes it. */
async function receiptOf({ submission, targetPath }: Ingestion, deps: Needs): Promise<string | null> {
  const { id, recordsCount } = submission
  if (recordsCount === null) return null
  try {
    return await makeReceipt({ ...submission, recordsCount, targetPath }, deps)
  } catch (err) {
    deps.log.warn({ err, submissionId: id }, 'the receipt of a file is made when it is asked for')
    return null
  }
}

/** 3 → 5. It is retried for a day; the log has the cause. Returns false if the lease was lost. */
async function fail(run: Ingestion, error: Error, deps: Needs): Promise<boolean> {
  const { id } = run.submission
  deps.metrics.failures.inc({ kind: 'storing' })
  deps.log.error({ err: error, submissionId: id }, 'a file could not be saved in its company folder')
  const note = systemCode(error) ?? error.name
  const change = {
    ...withoutLease,
    attempts: sql<number>`attempts + 1`,
    leaseUntil: nextStorageRetry,
    settledAt: now,
    targetPath: await targetPathOfRetry(run, deps),
  }
  return (await settle(run, { to: IngestionFailed, change, note }, deps)) !== null
}

/** null: Retry begins with the first path, in the company's folder at that time. */
async function targetPathOfRetry({ submission, targetPath, givenUp }: Ingestion, { storage }: Needs) {
  const isThere = (path: string) => storage.exists(path).catch(() => true)
  // This run deleted all files at the path that it gave up, and no other run knew it: it is free again.
  const path = givenUp === null || (await isThere(givenUp)) ? targetPath : givenUp
  const isFirst = earlierTargetPathsOf(submission, path).length === 0
  return isFirst && !(await isThere(path)) ? null : path
}

/** Returns null if the lease was lost: another run has taken over. */
function settle(
  { submission, leaseId }: Ingestion,
  move: Pick<Parameters<typeof moveSubmission>[2], 'to' | 'change' | 'note'>,
  deps: Needs,
): Promise<SubmissionRow | null> {
  return inTransaction(deps.db, async (trx) => {
    const moved = await moveSubmission(trx, submission.id, { ...move, from: ValidationPassed, leaseId })
    if (!moved) return null
    await deps.bus.publish(toStatusEvent(moved), trx)
    await queueWebhook(moved, trx, deps)
    // When it failed again by itself, the uploader knows already.
    if (moved.status !== IngestionFailed || moved.attempts === 1) await queueResultMail(moved, trx, deps)
    return moved
  })
}

/**
 * Deletes what this run wrote after it had lost its lease. If that fails, the sweep does, except for a
 * complete file of a purged submission.
 */
async function deleteLateFiles({ submission, targetPath }: Ingestion, deps: Needs): Promise<void> {
  const { id } = submission
  try {
    const stored = await findStoredSubmission(deps.db, id)
    const isElsewhere = stored?.status === IngestionSuccess && stored.targetPath !== targetPath
    if (!isElsewhere && stored?.status !== IngestionFileNotFound) return
    const settled = await forgetSourceDeleted(deps.db, id)
    if (settled === undefined) return
    await deleteFilesOfFailedRun(targetPath, submission, deps.storage)
    await deleteUnneeded(settled, deps)
  } catch (error) {
    deps.log.warn({ err: error, submissionId: id }, 'what a run wrote too late could not be deleted')
  }
}
