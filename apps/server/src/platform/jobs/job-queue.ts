import type { Transaction } from 'kysely'
import type { Database, SubmissionRow } from '#platform/database/tables.ts'

/**
 * Work on a submission. Companies take turns: of waiting jobs the one with the lowest `turn` is next
 * (`submissions/submissions.ts` gives them).
 */
export type SubmissionJob = { submissionId: number; companyId: number; turn: number }

/** Background work by name, with its payload. */
export type JobPayloads = {
  validateSubmission: SubmissionJob
  ingestSubmission: SubmissionJob
  sendMails: Record<never, never>
  deliverWebhooks: Record<never, never>
  expireStorageErrors: Record<never, never>
  sweepStorage: Record<never, never>
  tidyDatabase: Record<never, never>
  warnOfEndingTokens: Record<never, never>
}
export type JobName = keyof JobPayloads

/** A recurring job. `dueAfter` returns the first time after `time` at which it is due. */
export type RecurringJob = {
  name: Extract<JobName, 'expireStorageErrors' | 'sweepStorage' | 'tidyDatabase' | 'warnOfEndingTokens'>
  dueAfter(time: Date): Date
}

export const jobOf = ({ id, companyId, turn }: Pick<SubmissionRow, 'id' | 'companyId' | 'turn'>) =>
  ({ submissionId: id, companyId, turn }) satisfies SubmissionJob

/** How services start background work; implemented in `platform/jobs/pg-boss-queue.ts`. */
export type JobQueue = {
  /** Adds a job. With `transaction`, the job exists if and only if the transaction commits. */
  add<N extends JobName>(name: N, payload: JobPayloads[N], transaction?: Transaction<Database>): Promise<void>
  /** Adds jobs with one statement. A job is not added while one with the same key waits. */
  addAll<N extends JobName>(name: N, payloads: readonly JobPayloads[N][]): Promise<void>
  /** If a job with the same key waits for a later time, runs it now. */
  expedite<N extends JobName>(name: N, payload: JobPayloads[N]): Promise<void>
  /** `platform/jobs/add-recurring-jobs.ts` adds them when they are due. */
  recurring: readonly RecurringJob[]
}
