import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'

/** Work that is done later, by name. One row a job; handlers are listed in `jobs/job-list.ts`. */
export type JobPayloads = {
  validateSubmission: { submissionId: number }
  ingestSubmission: { submissionId: number }
  sendMails: Record<never, never>
  /** Daily. */
  expireStorageErrors: Record<never, never>
  /** Hourly. */
  sweepStorage: Record<never, never>
  /** Daily. */
  tidyDatabase: Record<never, never>
}
export type JobName = keyof JobPayloads

/** Services start later work through this; made in `jobs/pg-boss-queue.ts`. */
export type JobQueue = {
  /**
   * Adds a job. Inside `transaction` it exists exactly when the transaction commits: never a row without its
   * job.
   */
  add<N extends JobName>(name: N, payload: JobPayloads[N], transaction?: Transaction<Database>): Promise<void>
  /** Lets an equal job that waits for a later time begin now, where kinds of jobs tell which are equal. */
  expedite<N extends JobName>(name: N, payload: JobPayloads[N]): Promise<void>
  /** Lets recurring jobs recur again that wait for the time of a clock which has been set back since. */
  expediteRecurring(): Promise<void>
}
