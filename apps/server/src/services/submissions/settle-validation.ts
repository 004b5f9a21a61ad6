import { storable } from '@veridict/contract/forms/storable-text'
import { ErrorType } from '@veridict/contract/model/error-type'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { Deps } from '#deps.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Judgement } from '#drivers/validator/validator.ts'
import { deleteRowReports } from '#repositories/row-reports.ts'
import { leftAlone } from '#repositories/submission-leases.ts'
import { moveSubmission, type SubmissionChange } from '#repositories/submissions.ts'
import { newsOf } from '#services/submissions/news-of.ts'
import { postResult } from '#services/submissions/post-result.ts'
import type { SubmissionRun } from '#services/submissions/submission-run.ts'

type Needs = Pick<Deps, 'db' | 'jobs' | 'bus' | 'ids' | 'env' | 'log'>

/** Groups of errors kept for the report and the letter: more than anybody reads. */
const MAX_GROUPS = 100

/**
 * Writes a verdict down: status, counts, news, and the next job or the result letter, all in one transaction;
 * the reports of its rows are kept already. Writes nothing when the run has lost its lease.
 */
export async function settleValidation(
  { submission: { id }, leaseId }: SubmissionRun,
  verdict: Judgement,
  deps: Needs,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const isPassed = verdict.kind === 'passed'
    const submission = await moveSubmission(trx, id, {
      from: SubmissionStatus.InProcess,
      to: isPassed ? SubmissionStatus.ValidationPassed : SubmissionStatus.ValidationFailed,
      leaseId,
      change: { ...leftAlone, attempts: 0, ...outcomeOf(verdict) },
    })
    if (!submission) return deps.log.warn({ submissionId: id }, 'a run that had lost its lease was refused')
    // Of an attempt that died behind them.
    if (verdict.kind !== 'rowErrors') await deleteRowReports(trx, id)
    await deps.bus.publish(newsOf(submission), trx)
    if (isPassed) return deps.jobs.add('ingestSubmission', { submissionId: id }, trx)
    return postResult(submission, trx, deps)
  })
}

function outcomeOf(verdict: Judgement): SubmissionChange {
  if (verdict.kind === 'passed') return { recordsCount: verdict.recordsCount }
  const settledAt = sql<Date>`now()`
  if (verdict.kind === 'fileProblem') {
    const { errorType, message } = verdict.problem
    return { errorType, errorMessage: storable(message), settledAt }
  }
  const { recordsCount, errorRowCount, cellErrorCount, groups } = verdict
  const errorGroups = storable(JSON.stringify(groups.slice(0, MAX_GROUPS).map(storableGroup)))
  return {
    errorType: ErrorType.RowErrors,
    recordsCount,
    errorRowCount,
    cellErrorCount,
    errorGroups,
    settledAt,
  }
}

const storableGroup = <G extends { label: string; error: string }>(group: G): G => ({
  ...group,
  label: storable(group.label),
  error: storable(group.error),
})
