import { createFairQueue, type FairQueue } from '#drivers/fair-queue.ts'

/** One more than the threads that hash: its database work is done while they hash. */
const SURPLUS = 1
/** Less than a second of hashing on one thread. */
const MAX_WAITING = 32

/**
 * The queue of everything that hashes a password for a request. See
 * docs/BEHAVIOUR.md#sessions-and-passwords.
 */
export const createPasswordQueue = ({ threads }: { threads: number }): FairQueue =>
  createFairQueue({
    concurrency: threads + SURPLUS,
    maxWaiting: MAX_WAITING,
    // Invented addresses behind one proxy (`http/caller-address.ts`) together get the turns of one.
    groupOf: (address) => address.split(' ')[0] ?? '',
  })
