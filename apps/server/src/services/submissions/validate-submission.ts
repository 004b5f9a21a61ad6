import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { fileGuards } from '@veridict/contract/limits'
import { ErrorType } from '@veridict/contract/model/error-type'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import type { PackedReports } from '#db/pack-reports.ts'
import { inTransaction } from '#db/transaction.ts'
import { sha256Of } from '#drivers/storage/chunks.ts'
import { sourcePath } from '#drivers/storage/storage.ts'
import { type FileToValidate, type ValidationResult, ValidatorError } from '#drivers/validator/validator.ts'
import { findVersionFields } from '#repositories/dictionary-versions.ts'
import { addRowReports } from '#repositories/row-reports.ts'
import { confirmLease, lockUnleased, newLease } from '#repositories/submission-leases.ts'
import { countAttempt, countTakeovers, moveSubmission } from '#repositories/submissions.ts'
import { toStatusNews } from '#services/submissions/to-status-news.ts'
import { settleValidation } from '#services/submissions/settle-validation.ts'
import { runUnderLease, type SubmissionRun } from '#services/submissions/run-under-lease.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'validator' | 'leases' | 'jobs' | 'bus' | 'ids' | 'env' | 'log'>

/**
 * A file at which the validator has died this often is given up: it would only die again (reliability, F7).
 */
const MAX_ATTEMPTS = 3
/**
 * A file during which whole servers have died this often is given up as well. Far more than deploys and
 * crashes bring together for one file; only a file that takes its machine down with it gets there.
 */
const MAX_TAKEOVERS = 100

const { Uploaded, InProcess } = SubmissionStatus

/**
 * Judges a submission and settles it. Does nothing when it is in another status, or when somebody else works
 * on it. Throws when it was interrupted (`shutdown`, a lost lease, no database, no storage); the submission
 * is then taken up again by `recoverUnsettled`.
 */
export async function validateSubmission(id: number, deps: Needs, shutdown: AbortSignal): Promise<void> {
  const run = await startRun(id, deps)
  if (run === null) return
  await runUnderLease(run, deps, shutdown, async (signal) => {
    const verdict = await judge(run, deps, signal)
    await settleValidation(run, verdict, deps)
  })
}

/** 0 → 1, or 1 → 1 where a run died. */
function startRun(id: number, deps: Needs): Promise<SubmissionRun | null> {
  return inTransaction(deps.db, async (trx) => {
    const found = await lockUnleased(trx, id, [Uploaded, InProcess])
    if (!found) return null
    const lease = deps.leases.next()
    const note = found.status === InProcess ? 'taken over' : ''
    const submission = await moveSubmission(trx, id, {
      from: found.status,
      to: InProcess,
      change: newLease(lease),
      note,
    })
    if (!submission) return null
    await deps.bus.publish(toStatusNews(submission), trx)
    return { submission, leaseId: lease.id }
  })
}

/**
 * The engine's verdict, or our own where the engine could not come to one, or was shown other bytes than were
 * uploaded.
 */
async function judge(run: SubmissionRun, deps: Needs, signal: AbortSignal): Promise<ValidationResult> {
  const { submission } = run
  if (submission.attempts >= MAX_ATTEMPTS || (await countTakeovers(deps.db, submission.id)) > MAX_TAKEOVERS)
    return givenUp(run, deps)
  const file: FileToValidate = {
    path: deps.storage.localPath(sourcePath(submission.storageKey)),
    fileName: submission.fileName,
    fields: await findVersionFields(deps.db, submission.dictionaryVersionId),
  }
  for (;;) {
    try {
      const verdict = await deps.validator.validate(
        file,
        (reports) => keepReports(run, reports, deps),
        signal,
      )
      // What passed is compared when it is copied to the company.
      return verdict.kind === 'passed' || (await isIntact(submission, deps)) ? verdict : givenUp(run, deps)
    } catch (error) {
      if (!(error instanceof ValidatorError) || error.reason === 'aborted') throw error
      if (error.reason === 'timeout') return tooSlow()
      // Throws while the storage is away. That is no fault of the file: the run is given back, and tried
      // until the storage is there.
      await deps.storage.exists(sourcePath(submission.storageKey))
      const attempts = await countAttempt(deps.db, submission.id, run.leaseId)
      deps.log.warn({ err: error, submissionId: submission.id, attempts }, 'the validator failed at a file')
      if (attempts === undefined) throw new Error(`Submission ${submission.id}: the lease was lost`)
      if (attempts >= MAX_ATTEMPTS) return givenUp(run, deps)
    }
  }
}

/**
 * Under the lease, so that of two runs the one that has it decides. Nobody sees the reports before the
 * verdict is settled.
 */
function keepReports(
  { submission: { id }, leaseId }: SubmissionRun,
  reports: PackedReports,
  { db }: Needs,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    if (!(await confirmLease(trx, id, leaseId))) throw new Error(`Submission ${id}: the lease was lost`)
    await addRowReports(trx, id, reports)
  })
}

/** Whether the bytes are those that were uploaded. Nobody is told of errors which a failing disk has made. */
async function isIntact({ storageKey, sha256 }: SubmissionRow, { storage }: Needs): Promise<boolean> {
  return (await sha256Of(storage.read(sourcePath(storageKey)))) === sha256
}

/** Not tried again: the same file would only take as long again. */
const tooSlow = (): ValidationResult => ({
  kind: 'fileProblem',
  problem: {
    errorType: ErrorType.BeyondLimit,
    message: fileProblemMessages.tooSlow(fileGuards.maxMilliseconds / 1000),
    details: [],
  },
})

function givenUp({ submission, leaseId }: SubmissionRun, { log }: Needs): ValidationResult {
  const reference = `V${submission.id}-${leaseId.slice(-6)}`
  log.error({ submissionId: submission.id, reference }, 'a submission was given up')
  return {
    kind: 'fileProblem',
    problem: {
      errorType: ErrorType.ProcessingFailed,
      message: fileProblemMessages.processingFailed(reference),
      details: [],
    },
  }
}
