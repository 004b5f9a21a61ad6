import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { AuditValues } from '@veridict/contract/model/audit-action'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { SubmissionRow, Trx } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { conflict, found } from '#errors.ts'
import { scopeOf, type Uploader } from '#platform/access/viewer.ts'
import { lockSubmission, lockSubmissionInScope } from '#submissions/submissions.ts'
import {
  deferStorageError,
  findDueStorageErrors,
  makeStorageErrorsDue,
} from '#submissions/submission-sources.ts'
import { lockCompany } from '#companies/companies.ts'
import { hasSource, storageRefusal } from '#platform/storage/storage-refusal.ts'
import { findIngestedPath, findTargetPath, restoreSource } from '#submissions/target-path.ts'
import { withoutLease } from '#submissions/submission-leases.ts'
import { moveSubmission, type SubmissionChange, toStatusEvent } from '#submissions/submission-moves.ts'
import { queueWebhook } from '#webhooks/deliver-webhooks.ts'

type LeavingNeeds = Pick<Deps, 'db' | 'jobs' | 'bus' | 'ids' | 'env' | 'caller' | 'tracing'>
type Needs = LeavingNeeds & Pick<Deps, 'storage'>

const { ValidationPassed, IngestionFailed, IngestionFileNotFound } = SubmissionStatus

/**
 * 5 → 3, without validating; a second click, or the purge, finds another status in the locked row. Throws
 * 404; 409 `IngestionFileNotFound` if the source is gone (5 → 6), another 409 in other statuses; 503 without
 * storage. See docs/BEHAVIOUR.md#retry.
 */
export async function retryIngestion(id: number, viewer: Uploader, deps: Needs): Promise<void> {
  const isThere = await inTransaction(deps.db, async (trx) => {
    const scope = scopeOf(viewer, deps.env.historyScope)
    const submission = await found(lockSubmissionInScope(trx, scope, id), 'File')
    if (submission.status !== IngestionFailed) throw conflict(submissionMessages.retryNotPossible)
    return ingestOrRemove(submission, { note: 'retry', attempts: 0 }, trx, deps)
  })
  // Thrown after the commit, so that the move to 6 is kept.
  if (!isThere) throw conflict(submissionMessages.ingestionFileNotFound)
}

/** 5 → 3, or 5 → 6 if the source is gone. Returns whether it is there. */
async function ingestOrRemove(
  submission: SubmissionRow,
  { note, attempts }: { note: string; attempts: number },
  trx: Trx,
  deps: Needs,
): Promise<boolean> {
  const { canIngest, targetPath } = await findFile(submission, { ...deps, db: trx })
  const removal = { note: 'the file was gone', detail: { submission: submission.id } }
  if (canIngest) await ingestAgain(submission, { note, targetPath, attempts }, trx, deps)
  else await markFileRemoved(submission, removal, trx, deps)
  return canIngest
}

/** One with unreadable files waits for its next time. Throws while the storage is not available. */
export async function retryDueStorageErrors(deps: Needs & Pick<Deps, 'log'>): Promise<void> {
  for (const id of await findDueStorageErrors(deps.db))
    try {
      await retryDue(id, deps)
    } catch (err) {
      await deps.storage.check()
      deps.log.error({ err, submissionId: id }, 'a storage error could not be tried again')
      await deferStorageError(deps.db, id)
    }
}

function retryDue(id: number, deps: Needs): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const submission = await lockSubmission(trx, id)
    if (submission?.status !== IngestionFailed || submission.leaseUntil === null) return
    const { attempts } = submission
    await ingestOrRemove(submission, { note: 'tried again by itself', attempts }, trx, deps)
  })
}

/** All of them, or a company's, within 30 s. Returns their number; 404 without such a company. */
export function retryAllStorageErrors(
  companyId: number | null,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<number> {
  return inTransaction(deps.db, async (trx) => {
    if (companyId !== null) await lockCompany(trx, companyId)
    const retried = await makeStorageErrorsDue(trx, companyId)
    const about = { subject: 'Storage errors', companyId, detail: onlyAfter({ retried }) }
    await recordAudit({ action: 'operation.retried', ...about }, trx, deps)
    return retried
  })
}

/** `targetPath`: where the file is in the company's folder already. */
async function findFile(submission: SubmissionRow, { db, storage }: Pick<Needs, 'db' | 'storage'>) {
  const isKept = await hasSource(submission, storage)
  try {
    const from = await findTargetPath(submission, db)
    const targetPath = await findIngestedPath(submission, { from, unreadable: 'empty' }, storage)
    const canIngest = isKept || targetPath !== null || (await restoreSource(submission, { db, storage }))
    return { canIngest, targetPath }
  } catch (error) {
    throw storageRefusal(error)
  }
}

/** 5 → 3; the row is locked. `targetPath`: where the file is. `attempts`: failed since a person acted. */
export async function ingestAgain(
  { id }: SubmissionRow,
  { note, targetPath, attempts = 0 }: { note: string; targetPath: string | null; attempts?: number },
  trx: Trx,
  deps: LeavingNeeds,
): Promise<void> {
  const change = { attempts, settledAt: null, ...(targetPath === null ? {} : { targetPath }) }
  const detail = { submission: id }
  await leave(id, { to: ValidationPassed, note, change, detail }, trx, deps)
}

/** 5 → 6, of a locked row in status 5. */
export const markFileRemoved = (
  { id }: SubmissionRow,
  given: Pick<Leaving, 'note' | 'detail'>,
  trx: Trx,
  deps: LeavingNeeds,
): Promise<SubmissionRow> => leave(id, { ...given, to: IngestionFileNotFound }, trx, deps)

type Leaving = {
  to: typeof ValidationPassed | typeof IngestionFileNotFound
  note: string
  change?: SubmissionChange
  /** For the audit trail. */
  detail: AuditValues
}

async function leave(id: number, { to, note, change, detail }: Leaving, trx: Trx, deps: LeavingNeeds) {
  const move = { from: IngestionFailed, to, change: { ...withoutLease, ...change }, note }
  const submission = await moveSubmission(trx, id, move)
  if (!submission) throw new Error(`Submission ${id} moved although it was locked`)
  const { fileName: subject, companyId } = submission
  const action = to === ValidationPassed ? 'file.retried' : 'file.purged'
  await recordAudit({ action, subject, companyId, detail: onlyAfter(detail) }, trx, deps)
  await deps.bus.publish(toStatusEvent(submission), trx)
  await queueWebhook(submission, trx, deps)
  return submission
}
