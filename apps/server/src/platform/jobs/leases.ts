import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'

/**
 * The right of one run to work on a submission. `id` is fresh for every run. `holder`: the number of an
 * advisory lock of the process, so that a dead one's lease ends at once; null: only time ends it.
 */
export type Lease = { id: string; holder: number | null }

/** Nobody has a lease that only time ends. One that ends much later is from before a clock was set back. */
export const isFree = sql<boolean>`(
  lease_until is null or lease_until < now() or lease_until > now() + interval '1 hour')`

/** Class of the advisory locks of running processes; the second number of a lock is `holder`. */
export const LEASE_HOLDER_LOCK = 1_447_382

/** Class of the advisory locks of running processes that take jobs. */
export const WORKER_LOCK = 1_447_383

/** Class of those that show with which secret a process signs. `access/authority.ts` has 384 and 385. */
export const SECRET_LOCK = 1_447_386

export type Leases = { next(): Lease }

export const newLeaseOf = (holder: number | null): Lease => ({ id: randomUUID(), holder })
