import type { Trx } from '#platform/database/tables.ts'
import type { StatusPush } from '@veridict/contract/api/live'

/** `companyId` and `userId` decide who receives it; `userId` is null for an upload with a token. */
export type StatusEvent = StatusPush & { companyId: number; userId: number | null }
/** A session, user or token that ended; its sockets and calls are cut. */
export type EndEvent = { sessionId: string } | { userId: number } | { tokenId: number }

/** To all instances, by NOTIFY (`pg-status-bus.ts`). Hints: a client that missed one reads its list again. */
export type StatusBus = {
  /** Sent if and only if `transaction`, if any, commits. Wakes the workers unless `hasJob` is false. */
  publish(event: StatusEvent, transaction?: Trx, hasJob?: boolean): Promise<void>
  publishEnd(event: EndEvent, transaction?: Trx): Promise<void>
  /** `onGap`: changes may be missing, because the connection was lost and is back. */
  subscribe(listener: {
    onStatus(event: StatusEvent): void
    onEnd(event: EndEvent): void
    onGap?(): void
  }): () => void
}
