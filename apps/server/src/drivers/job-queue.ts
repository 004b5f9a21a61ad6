import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'

/** Work that is done later, by name. One row a job; handlers are listed in `jobs/job-list.ts`. */
export type JobPayloads = {
  validateSubmission: { submissionId: number }
  ingestSubmission: { submissionId: number }
  sendMails: Record<never, never>
  expireStorageErrors: Record<never, never>
  sweepStorage: Record<never, never>
  tidyDatabase: Record<never, never>
}
export type JobName = keyof JobPayloads

/** Work that recurs, and when it is due next after a time. */
export type RecurringJob = {
  name: Exclude<JobName, 'validateSubmission' | 'ingestSubmission'>
  dueAfter(time: Date): Date
}

/** Services start later work through this; made in `jobs/pg-boss-queue.ts`. */
export type JobQueue = {
  /**
   * Adds a job. Inside `transaction` it exists exactly when the transaction commits: never a row without its
   * job.
   */
  add<N extends JobName>(name: N, payload: JobPayloads[N], transaction?: Transaction<Database>): Promise<void>
  /** Lets an equal job that waits for a later time begin now, where kinds of jobs tell which are equal. */
  expedite<N extends JobName>(name: N, payload: JobPayloads[N]): Promise<void>
  /** `services/operations/add-recurring-jobs.ts` adds them when they are due. */
  recurring: readonly RecurringJob[]
}
