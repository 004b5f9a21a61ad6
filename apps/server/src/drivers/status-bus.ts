import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'
import type { StatusPush } from '@veridict/contract/api/live'

/** News of a submission with what decides who may hear it. */
export type StatusNews = StatusPush & { companyId: number; userId: number }
/** A session or user that ended: its sockets close. */
export type EndNews = { sessionId: string } | { userId: number }

/**
 * News between instances; made in `live/pg-status-bus.ts` on NOTIFY. Hints only: whoever missed one reads
 * again.
 */
export type StatusBus = {
  /** Inside `transaction`, told exactly when it commits. */
  publish(news: StatusNews, transaction?: Transaction<Database>): Promise<void>
  publishEnd(news: EndNews, transaction?: Transaction<Database>): Promise<void>
  /** `onGap`: news may have been missed, because the connection that brings them was lost and is back. */
  subscribe(listener: {
    onStatus(news: StatusNews): void
    onEnd(news: EndNews): void
    onGap?(): void
  }): () => void
}
