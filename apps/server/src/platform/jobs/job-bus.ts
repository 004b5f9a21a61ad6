import type { Trx } from '#platform/database/tables.ts'

/** What is done with submissions that wait: one table is the queue of both. */
export type SubmissionWork = 'validateSubmission' | 'ingestSubmission'

/** Work that begins as soon as it is added: all of it waits in a table. */
export type WakeableWork = SubmissionWork | 'sendMails' | 'deliverWebhooks' | 'tryImpacts'

/** Wakes the workers of all servers; implemented in `live/pg-status-bus.ts`. */
export type JobBus = {
  /** With `transaction`, sent if and only if it commits. A status change wakes the workers by itself. */
  wake(work: WakeableWork, transaction?: Trx): Promise<void>
  /** `work`: null after a gap, for any kind. `companyId`: where it is known. Returns the end of listening. */
  onWake(listener: (work: string | null, companyId?: number) => void): () => void
}
