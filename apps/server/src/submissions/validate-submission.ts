import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { fileGuards } from '@veridict/contract/limits'
import { ErrorType, type FileProblem } from '@veridict/contract/model/verdict'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { PackedReports } from '#platform/database/pack-reports.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { sha256Of } from '#platform/storage/chunks.ts'
import { type ReadableFile, sourcePath, systemCode } from '#platform/storage/storage.ts'
import { type Requester, type ValidationResult, ValidatorError } from '#platform/validator/validator.ts'
import { findDictionaryOf } from '#dictionaries/dictionaries.ts'
import { addRowReports } from '#submissions/row-reports.ts'
import { confirmLease } from '#submissions/submission-leases.ts'
import type { ClaimedSubmission } from '#submissions/submission-claims.ts'
import {
  countAttempt,
  countTakeovers,
  noteStorageFailure,
  toStatusEvent,
} from '#submissions/submission-moves.ts'
import { ingestUnderLease } from '#submissions/ingest-submission.ts'
import { nameOtherDictionaries } from '#submissions/name-other-dictionaries.ts'
import { isStorageFailure } from '#platform/storage/storage-refusal.ts'
import { settleValidation } from '#submissions/settle-validation.ts'
import { runUnderLease, type SubmissionRun } from '#submissions/run-under-lease.ts'
import { restoreSource } from '#submissions/target-path.ts'

type Needs = Pick<
  Deps,
  'db' | 'storage' | 'validator' | 'jobs' | 'bus' | 'ids' | 'env' | 'log' | 'metrics' | 'caller' | 'tracing'
>

/** Crashes of the validator on one file before its submission is given up. */
const MAX_ATTEMPTS = 3
/** Deploys and crashes cause far fewer takeovers; only a file that crashes its machine reaches this. */
const MAX_TAKEOVERS = 100
/** A small file has its next status sooner: then status 1 is not published, which saves a statement. */
const IN_PROCESS_EVENT_DELAY_MILLISECONDS = 200

/** Ingests a passed file of up to `maxIngestedBytes`, too. Throws when interrupted; then it waits again. */
export function validateClaimed(
  submission: ClaimedSubmission,
  deps: Needs,
  shutdown: AbortSignal,
  { maxIngestedBytes = 0 } = {},
): Promise<void> {
  const { isTakenOver } = submission
  if (isTakenOver) deps.metrics.takeovers.inc()
  return runUnderLease('validateSubmission', submission, deps, shutdown, (run, signal) =>
    validateUnderLease({ ...run, submission, hasReports: isTakenOver }, deps, signal, maxIngestedBytes),
  )
}

async function validateUnderLease(
  run: ValidationRun,
  deps: Needs,
  signal: AbortSignal,
  maxIngestedBytes: number,
): Promise<void> {
  const { tracing } = deps
  const verdict = await publishInProcessDuring(run, deps, () =>
    tracing.span('validate', () => validate(run, deps, signal)),
  )
  const named = await nameOtherDictionaries(run.submission, verdict, deps)
  const isSmall = run.submission.bytes <= maxIngestedBytes
  const options = { isIngestedAtOnce: isSmall, hasReports: run.hasReports }
  const ingestion = await tracing.span('settle', () => settleValidation(run, named, deps, options))
  if (ingestion !== null) await tracing.span('ingest', () => ingestUnderLease(ingestion, deps))
}

/**
 * Publishes status 1, unless the next follows at once; an error ends the run. Only under the lease: a process
 * that was frozen would publish it after the last status.
 */
async function publishInProcessDuring<T>(
  { submission, leaseId }: ValidationRun,
  { db, bus }: Needs,
  work: () => Promise<T>,
): Promise<T> {
  let published = Promise.resolve()
  const timer = setTimeout(() => {
    published = inTransaction(db, async (trx) => {
      if (await confirmLease(trx, submission.id, leaseId)) await bus.publish(toStatusEvent(submission), trx)
    })
    published.catch(() => {})
  }, IN_PROCESS_EVENT_DELAY_MILLISECONDS)
  const result = await work().finally(() => clearTimeout(timer))
  // Before the next status is published.
  await published
  return result
}

/** `hasReports`: this run or an earlier one may have stored some. */
type ValidationRun = SubmissionRun & { submission: ClaimedSubmission; hasReports: boolean }

const uploaderOf = ({ companyId, userId, tokenId }: SubmissionRow): Requester => ({
  party: companyId,
  person: tokenId === null ? `${userId}` : `token ${tokenId}`,
})

/** `processingFailed` or `tooSlow` without a verdict, or if the stored bytes changed since the upload. */
async function validate(run: ValidationRun, deps: Needs, signal: AbortSignal): Promise<ValidationResult> {
  const { submission } = run
  const takeovers = submission.isTakenOver ? await countTakeovers(deps.db, submission.id) : 0
  if (submission.attempts >= MAX_ATTEMPTS || takeovers > MAX_TAKEOVERS) return giveUp(run, deps)
  const dictionary = await findDictionaryOf(deps.db, submission)
  const store = (reports: PackedReports) => storeReports(run, reports, deps)
  const { fileName } = submission
  for (;;) {
    try {
      const verdict = await readSource(submission, deps.storage, (file) =>
        deps.tracing.span('validator', () =>
          deps.validator.validate(
            { ...file, fileName, ...dictionary },
            store,
            uploaderOf(submission),
            signal,
          ),
        ),
      )
      // The bytes of a passed file are compared later, when it is copied to the company's folder.
      return verdict.kind === 'passed' || (await isIntact(submission, deps)) ? verdict : giveUp(run, deps)
    } catch (error) {
      if (isStorageFailure(error)) await noteStorageFailure(deps.db, submission.id, run.leaseId)
      if (!isCausedByFile(error)) throw error
      if (error instanceof ValidatorError && error.reason === 'timeout') return tooSlow()
      if (!(await deps.storage.exists(sourcePath(submission.storageKey)))) {
        if (await restoreSource(submission, deps)) {
          run.mayBeStored = true
          continue
        }
      }
      const attempts = await countAttempt(deps.db, submission.id, run.leaseId)
      deps.log.warn({ err: error, submissionId: submission.id, attempts }, 'the validator failed on a file')
      if (attempts === undefined) throw new Error(`Submission ${submission.id}: the lease was lost`)
      if (attempts >= MAX_ATTEMPTS) return giveUp(run, deps)
    }
  }
}

/** The engine reads a CSV file as a stream; a workbook needs random access. */
const readSource = <T>(
  { storageKey, fileKind }: SubmissionRow,
  storage: Needs['storage'],
  work: (file: ReadableFile) => Promise<T>,
): Promise<T> =>
  fileKind === 'csv'
    ? storage.streamFile(sourcePath(storageKey), work)
    : storage.useFile(sourcePath(storageKey), (path) => work({ path }))

/** A missing file counts, too: the storage was available. */
const isCausedByFile = (error: unknown): boolean =>
  error instanceof ValidatorError ? error.reason !== 'aborted' : systemCode(error) === 'ENOENT'

/** Only while the run has its lease. They are shown after the verdict is settled. */
function storeReports(run: ValidationRun, reports: PackedReports, { db }: Needs): Promise<void> {
  const { id } = run.submission
  run.hasReports = true
  return inTransaction(db, async (trx) => {
    if (!(await confirmLease(trx, id, run.leaseId))) throw new Error(`Submission ${id}: the lease was lost`)
    await addRowReports(trx, id, reports)
  })
}

/** Whether the bytes are those that were uploaded, so that errors of a failing disk are not reported. */
async function isIntact({ storageKey, sha256 }: SubmissionRow, { storage }: Needs): Promise<boolean> {
  return (await sha256Of(storage.read(sourcePath(storageKey)))) === sha256
}

const fileProblem = (errorType: FileProblem['errorType'], message: string): ValidationResult => ({
  kind: 'fileProblem',
  problem: { errorType, message, details: [] },
})

/** Not retried, because it would take as long again. */
const tooSlow = (): ValidationResult =>
  fileProblem(ErrorType.BeyondLimit, fileProblemMessages.tooSlow(fileGuards.maxMilliseconds / 1000))

function giveUp({ submission, leaseId }: SubmissionRun, { log }: Needs): ValidationResult {
  const reference = `V${submission.id}-${leaseId.slice(-6)}`
  log.error({ submissionId: submission.id, reference }, 'a submission was given up')
  return fileProblem(ErrorType.ProcessingFailed, fileProblemMessages.processingFailed(reference))
}
