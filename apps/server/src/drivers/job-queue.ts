import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'

/** Background work by name, with its payload. */
export type JobPayloads = {
  validateSubmission: { submissionId: number }
  ingestSubmission: { submissionId: number }
  sendMails: Record<never, never>
  deliverWebhooks: Record<never, never>
  expireStorageErrors: Record<never, never>
  sweepStorage: Record<never, never>
  tidyDatabase: Record<never, never>
}
export type JobName = keyof JobPayloads

/** Work that recurs, and when it is due next after a time. */
export type RecurringJob = {
  name: Exclude<JobName, 'validateSubmission' | 'ingestSubmission' | 'deliverWebhooks'>
  dueAfter(time: Date): Date
}

/** How services start background work; implemented in `jobs/pg-boss-queue.ts`. */
export type JobQueue = {
  /** Adds a job. With `transaction`, the job exists if and only if the transaction commits. */
  add<N extends JobName>(name: N, payload: JobPayloads[N], transaction?: Transaction<Database>): Promise<void>
  /** Runs a job of the same key now if one waits for a later time. */
  expedite<N extends JobName>(name: N, payload: JobPayloads[N]): Promise<void>
  /** `services/operations/add-recurring-jobs.ts` adds them when they are due. */
  recurring: readonly RecurringJob[]
}
