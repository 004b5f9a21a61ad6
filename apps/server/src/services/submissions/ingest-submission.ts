import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { Deps } from '#deps.ts'
import { inTransaction } from '#db/transaction.ts'
import { oneChunk, sha256Of } from '#drivers/storage/chunks.ts'
import {
  sourcePath,
  StorageConflictError,
  StorageUnavailableError,
  systemCode,
} from '#drivers/storage/storage.ts'
import { findWholeVersion } from '#repositories/dictionary-versions.ts'
import { changeTarget, lockUnleased, setLease, withoutLease } from '#repositories/submission-leases.ts'
import {
  findValidatedAt,
  lockStorageFolderForShare,
  markSourceDeleted,
  moveSubmission,
} from '#repositories/submissions.ts'
import { toStatusNews } from '#services/submissions/to-status-news.ts'
import { queueResultMail } from '#services/submissions/queue-result-mail.ts'
import { keepsLease, runUnderLease, type SubmissionRun } from '#services/submissions/run-under-lease.ts'
import { inSpanOfJob } from '#services/submissions/submission-spans.ts'
import { otherTargetPathOf, restoreSource, targetPathOf } from '#services/submissions/target-path.ts'
import { queueWebhook } from '#services/webhooks/queue-webhook.ts'

type Needs = Pick<
  Deps,
  'db' | 'storage' | 'leases' | 'jobs' | 'bus' | 'ids' | 'env' | 'log' | 'metrics' | 'tracing'
>
/** `validatedAt`: null where the history has to say it, because another run validated the file. */
export type Ingestion = SubmissionRun & { targetPath: string; validatedAt: Date | null }

const { ValidationPassed, IngestionSuccess, IngestionFailed } = SubmissionStatus

/**
 * Copies a passed file, unchanged, into its company's storage folder: exactly once and completely, however
 * often it is interrupted. Does nothing in another status, or while another worker has the lease. Throws
 * while the storage is not available; `recoverUnsettled` then adds the job again.
 */
export async function ingestSubmission(id: number, deps: Needs, shutdown: AbortSignal): Promise<void> {
  await deps.storage.confirm()
  const run = await startRun(id, deps)
  if (run === null) return
  await inSpanOfJob('ingestSubmission', run.submission, deps, () =>
    runUnderLease(run, deps, shutdown, () => deps.tracing.span('ingest', () => ingestUnderLease(run, deps))),
  )
}

/** The same for a run that has the lease and has recorded the target path. */
export async function ingestUnderLease(run: Ingestion, deps: Needs): Promise<void> {
  const failure = await copyToCompany(run, deps)
  if (failure === null) await succeed(run, deps)
  else await fail(run, failure, deps)
}

/** The first run records the target path, so that a run after a crash finds what the first one wrote. */
function startRun(id: number, deps: Needs): Promise<Ingestion | null> {
  return inTransaction(deps.db, async (trx) => {
    const submission = await lockUnleased(trx, id, [ValidationPassed])
    if (!submission) return null
    const lease = deps.leases.next()
    const targetPath =
      submission.targetPath ??
      targetPathOf(submission, await lockStorageFolderForShare(trx, submission.companyId))
    await setLease(trx, id, lease, targetPath)
    return { submission, leaseId: lease.id, targetPath, validatedAt: null }
  })
}

/** Returns null when both files are on disk; on an error neither is. */
async function copyToCompany(run: Ingestion, deps: Needs): Promise<Error | null> {
  try {
    await putFiles(run, deps)
    return null
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error
    if (await isRestored(error, run, deps)) return copyToCompany(run, deps)
    if (!(error instanceof StorageConflictError)) return error as Error
    // A restored database gives an id again that a file has already; or it has forgotten this ingestion.
    if (await isIngested(run, deps)) return null
    return copyElsewhere(run, deps)
  }
}

/** Whether the source was missing and is there again. */
async function isRestored(error: unknown, { submission }: Ingestion, deps: Needs): Promise<boolean> {
  if (systemCode(error) !== 'ENOENT' || (await deps.storage.exists(sourcePath(submission.storageKey))))
    return false
  return restoreSource(submission, deps)
}

/** Copies the file to another name, after another file was found at its own. */
async function copyElsewhere(run: Ingestion, deps: Needs): Promise<Error | null> {
  const { submission, leaseId } = run
  const targetPath = otherTargetPathOf(submission, run.targetPath)
  if (!(await changeTarget(deps.db, submission.id, leaseId, targetPath)))
    throw new Error(`Submission ${submission.id}: the lease was lost`)
  run.targetPath = targetPath
  try {
    await putFiles(run, deps)
    return null
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error
    return error as Error
  }
}

async function putFiles(run: Ingestion, { storage, db }: Needs): Promise<void> {
  const { submission, targetPath: path } = run
  const sideFile = Buffer.from(JSON.stringify(await sideFileOf(run, db), null, 2) + '\n')
  const files = [
    { path, source: storage.read(sourcePath(submission.storageKey)), sha256: submission.sha256 },
    // Last, so that a side file never exists without the file that it describes.
    { path: `${path}.json`, source: oneChunk(sideFile), sha256: await sha256Of(oneChunk(sideFile)) },
  ]
  await storage.put(files, {
    isFirst: run.validatedAt !== null,
    // Otherwise a run that was frozen would delete what another has taken for its own and has settled.
    mayUndo: () => keepsLease(run, { db }).catch(() => false),
  })
}

/** Whether these bytes are there for this very submission; only the times in the side file differ. */
async function isIngested({ submission, targetPath }: Ingestion, { storage }: Needs): Promise<boolean> {
  try {
    if ((await sha256Of(storage.read(targetPath))) !== submission.sha256) return false
    const sideFile = await Array.fromAsync(storage.read(`${targetPath}.json`))
    const { submissionId, sha256, uploadedAt } = JSON.parse(Buffer.concat(sideFile).toString()) as SideFile
    return (
      submissionId === submission.id &&
      sha256 === submission.sha256 &&
      uploadedAt === submission.createdAt.toISOString()
    )
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === 'ENOENT') return false
    throw error
  }
}

type SideFile = Awaited<ReturnType<typeof sideFileOf>>

/** The content of the side file. The same in every run, so that `storage.put` can be repeated. */
async function sideFileOf({ submission, targetPath, validatedAt: known }: Ingestion, db: Needs['db']) {
  const [dictionary, validatedAt] = await Promise.all([
    findWholeVersion(db, submission.dictionaryVersionId),
    known ?? findValidatedAt(db, submission.id),
  ])
  return {
    submissionId: submission.id,
    file: targetPath.split('/').at(-1),
    originalFileName: submission.fileName,
    bytes: submission.bytes,
    sha256: submission.sha256,
    rows: submission.recordsCount,
    dictionary: { name: dictionary.name, version: dictionary.revision },
    uploadedAt: submission.createdAt.toISOString(),
    validatedAt: validatedAt?.toISOString() ?? null,
  }
}

/** 3 → 4. The file is now in the company's folder, so the source is deleted. */
async function succeed({ submission: { id, storageKey }, leaseId }: Ingestion, deps: Needs): Promise<void> {
  const settledAt = sql<Date>`now()`
  const change = { ...withoutLease, attempts: 0, errorMessage: null, settledAt }
  const isSettled = await settle(id, { from: ValidationPassed, to: IngestionSuccess, leaseId, change }, deps)
  if (!isSettled) return
  await deps.storage.delete(sourcePath(storageKey))
  await markSourceDeleted(deps.db, id)
}

/** 3 → 5. The clerk can retry; the operator finds the cause in the log. */
async function fail(
  { submission: { id }, leaseId, targetPath }: Ingestion,
  error: Error,
  deps: Needs,
): Promise<void> {
  deps.metrics.failures.inc({ kind: 'storing' })
  deps.log.error({ err: error, submissionId: id }, 'a file could not be saved in its company folder')
  const hasTarget = await deps.storage.exists(targetPath).catch(() => true)
  const note = systemCode(error) ?? error.name
  const change = {
    ...withoutLease,
    attempts: 0,
    settledAt: sql<Date>`now()`,
    targetPath: hasTarget ? targetPath : null,
  }
  await settle(id, { from: ValidationPassed, to: IngestionFailed, leaseId, change, note }, deps)
}

function settle(id: number, move: Parameters<typeof moveSubmission>[2], deps: Needs): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const submission = await moveSubmission(trx, id, move)
    if (!submission) return false
    await deps.bus.publish(toStatusNews(submission), trx)
    await queueWebhook(submission, trx, deps)
    await queueResultMail(submission, trx, deps)
    return true
  })
}
