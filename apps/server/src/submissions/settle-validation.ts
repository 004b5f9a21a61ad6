import { storable, storableJson } from '@veridict/contract/notation/storable-text'
import { ErrorType, fileProblemText } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow, Trx } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { ValidationResult } from '#platform/validator/validator.ts'
import { deleteRowReports } from '#submissions/row-reports.ts'
import { leaseEnd, withoutLease } from '#submissions/submission-leases.ts'
import {
  type MovedSubmission,
  moveSubmission,
  now,
  type SubmissionChange,
  toStatusEvent,
} from '#submissions/submission-moves.ts'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Ingestion } from '#submissions/ingest-submission.ts'
import { pathInFolderOf } from '#submissions/target-path.ts'
import { queueResultMail } from '#submissions/queue-result-mail.ts'
import type { SubmissionRun } from '#submissions/run-under-lease.ts'
import { queueWebhook } from '#webhooks/deliver-webhooks.ts'

type Needs = Pick<Deps, 'db' | 'jobs' | 'bus' | 'ids' | 'env' | 'log' | 'metrics' | 'caller' | 'tracing'>

/** Stored for the report and the e-mail. */
const MAX_GROUPS = 100

/**
 * Stores status, counts, event and e-mail in one transaction; nothing if the lease was lost. `hasReports`:
 * reports may be stored, by this run or an earlier one. If `isIngestedAtOnce`, the run of a passed file keeps
 * the lease and goes on with what is returned.
 */
export function settleValidation(
  { submission: uploaded, leaseId, mayBeStored = false }: SubmissionRun,
  verdict: ValidationResult,
  deps: Needs,
  { isIngestedAtOnce = false, hasReports = true } = {},
): Promise<Ingestion | null> {
  const { id } = uploaded
  return inTransaction(deps.db, async (trx) => {
    const isPassed = verdict.kind === 'passed'
    const goesOn = isPassed && isIngestedAtOnce
    const submission = await moveSubmission(trx, id, {
      from: SubmissionStatus.InProcess,
      to: isPassed ? SubmissionStatus.ValidationPassed : SubmissionStatus.ValidationFailed,
      leaseId,
      change: {
        // Renewed: its end and the move's time come from one clock, also after it was set back.
        ...(goesOn ? { leaseUntil: leaseEnd } : withoutLease),
        attempts: 0,
        ...outcomeOf(verdict),
      },
      ...(goesOn ? { pathInFolder: pathInFolderOf(uploaded) } : {}),
    })
    if (!submission) {
      deps.log.warn({ submissionId: id }, 'the verdict of a run without its lease was discarded')
      return null
    }
    // An earlier attempt may have stored some reports before it crashed.
    const hasStored =
      verdict.kind === 'rowErrors' || ('warnings' in verdict && verdict.warnings !== undefined)
    if (hasReports && !hasStored) await deleteRowReports(trx, id)
    await recordVerdict(submission, verdict, trx, deps)
    deps.metrics.verdicts.inc({ verdict: verdict.kind })
    await deps.bus.publish(toStatusEvent(submission), trx, !goesOn)
    if (goesOn) {
      const { targetPath, updatedAt: validatedAt } = submission
      if (targetPath === null) throw new Error(`Submission ${id} passed without its target path`)
      return { submission, leaseId, mayBeStored, targetPath, givenUp: null, validatedAt }
    }
    if (!isPassed) await announceFailure(submission, trx, deps)
    return null
  })
}

async function announceFailure(submission: MovedSubmission, trx: Trx, deps: Needs) {
  await queueWebhook(submission, trx, deps)
  await queueResultMail(submission, trx, deps)
}

function recordVerdict(
  { id, fileName: subject, companyId, recordsCount, errorRowCount, errorType }: SubmissionRow,
  { kind: verdict }: ValidationResult,
  trx: Trx,
  deps: Needs,
): Promise<void> {
  const detail = onlyAfter({ submission: id, verdict, recordsCount, errorRowCount, errorType })
  return recordAudit({ action: 'file.verdict', subject, companyId, detail }, trx, deps)
}

const noWarnings = { warningCount: 0, warningRowCount: 0 }

function outcomeOf(verdict: ValidationResult): SubmissionChange {
  const settledAt = now
  if (verdict.kind === 'fileProblem') {
    return {
      errorType: verdict.problem.errorType,
      errorMessage: storable(fileProblemText(verdict.problem)),
      // It is kept longer than values of cells may be.
      fileProblem: storableJson(verdict.problem, 'samples'),
      settledAt,
    }
  }
  const { recordsCount, warnings: { warningCount, warningRowCount } = noWarnings } = verdict
  const counts = { recordsCount, warningCount, warningRowCount }
  if (verdict.kind === 'passed') return counts
  const { errorRowCount, cellErrorCount, groups, causesCount } = verdict
  return {
    ...counts,
    errorType: ErrorType.RowErrors,
    errorRowCount,
    cellErrorCount,
    errorGroups: storableJson(groups.slice(0, MAX_GROUPS)),
    causeCounts: JSON.stringify(verdict.causeCounts),
    causesCount,
    settledAt,
  }
}
