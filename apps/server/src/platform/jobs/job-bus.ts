import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/tables.ts'

/** Reports new jobs to all servers, so that they start at once; implemented in `pg-status-bus.ts`. */
export type JobBus = {
  /** With `transaction`, sent if and only if it commits. */
  publishJob(name: string, transaction?: Transaction<Database>): Promise<void>
  /**
   * `name` is null after a gap: jobs of any name may have been added. `companyId`: the company of the job,
   * where it is known. Returns the end of listening.
   */
  onJob(listener: (name: string | null, companyId?: number) => void): () => void
}
