import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'
import type { StatusPush } from '@veridict/contract/api/live'

/**
 * A status change of a submission, with its company and user, which decide who receives it; `userId` is null
 * for an upload with a token.
 */
export type StatusNews = StatusPush & { companyId: number; userId: number | null }
/** A session or user that ended; its sockets are closed. */
export type EndNews = { sessionId: string } | { userId: number }

/**
 * Sends status changes to all instances; implemented with NOTIFY in `live/pg-status-bus.ts`. They are hints:
 * a client that missed one reads its list again.
 */
export type StatusBus = {
  /**
   * With `transaction`, sent if and only if it commits. It wakes the workers for the next job of the
   * submission, unless there is none: `hasJob` false.
   */
  publish(news: StatusNews, transaction?: Transaction<Database>, hasJob?: boolean): Promise<void>
  publishEnd(news: EndNews, transaction?: Transaction<Database>): Promise<void>
  /** `onGap`: changes may be missing, because the connection was lost and is back. */
  subscribe(listener: {
    onStatus(news: StatusNews): void
    onEnd(news: EndNews): void
    onGap?(): void
  }): () => void
}
