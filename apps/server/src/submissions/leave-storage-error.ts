import type { AuditValues } from '@veridict/contract/model/audit-action'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow, Trx } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { withoutLease } from '#submissions/submission-leases.ts'
import { moveSubmission, type SubmissionChange } from '#submissions/submission-moves.ts'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import { toStatusEvent } from '#submissions/to-status-event.ts'
import { queueWebhook } from '#webhooks/deliver-webhooks.ts'

type Needs = Pick<Deps, 'db' | 'jobs' | 'bus' | 'ids' | 'env' | 'caller' | 'tracing'>

const { ValidationPassed, IngestionFailed, IngestionFileNotFound } = SubmissionStatus

/**
 * 5 → 3. `targetPath`: the path where the file was already found, if any. `attempts`: those that failed since
 * a person wanted it stored. The row must be locked, and in status 5.
 */
export async function ingestAgain(
  { id }: SubmissionRow,
  { note, targetPath, attempts = 0 }: { note: string; targetPath: string | null; attempts?: number },
  trx: Trx,
  deps: Needs,
): Promise<void> {
  const change = { attempts, settledAt: null, ...(targetPath === null ? {} : { targetPath }) }
  const detail = { submission: id }
  await leave(id, { to: ValidationPassed, note, change, detail }, trx, deps)
}

/** 5 → 6. `detail`: for the audit trail. The row must be locked, and in status 5. */
export function markFileRemoved(
  { id }: SubmissionRow,
  given: { note: string; detail: AuditValues },
  trx: Trx,
  deps: Needs,
): Promise<SubmissionRow> {
  return leave(id, { ...given, to: IngestionFileNotFound }, trx, deps)
}

type Leaving = {
  to: typeof ValidationPassed | typeof IngestionFileNotFound
  note: string
  change?: SubmissionChange
  detail: AuditValues
}

async function leave(
  id: number,
  { to, note, change, detail }: Leaving,
  trx: Trx,
  deps: Needs,
): Promise<SubmissionRow> {
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
