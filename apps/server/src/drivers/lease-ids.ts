import { randomUUID } from 'node:crypto'

/**
 * Class of the advisory locks by which processes show that they live; the second number of each is the
 * process's own.
 */
export const LEASE_HOLDER_LOCK = 1_447_382

/** Makes the ids of leases. */
export type LeaseIds = {
  /**
   * A UUID whose first eight digits name the living process, or are zeros when it cannot show that it lives
   * at the moment.
   */
  next(): string
}

/** Leases that only time ends. */
export const anonymousLeaseIds: LeaseIds = { next: () => leaseIdOf(0) }

/** `holder` is a number below 2^31. */
export const leaseIdOf = (holder: number): string =>
  holder.toString(16).padStart(8, '0') + randomUUID().slice(8)
