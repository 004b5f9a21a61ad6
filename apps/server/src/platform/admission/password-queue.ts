import { addressOwner } from '#platform/admission/address-owner.ts'
import { Gate } from '#platform/admission/gate.ts'

/** An address (`caller-address.ts`), and `known` for a user's known browser or link that sets a password. */
export type PasswordCaller = { address: string; known: { userId: number; browserId: string } | null }

/** One more than the threads that hash: its database work is done while they hash. */
const SURPLUS = 1
/** Less than a second of hashing on one thread. */
const MAX_WAITING = 32
/** An office in which all log in at nine: some 15 seconds of hashing on one thread. Each user has a turn. */
const MAX_KNOWN_WAITING = 500

/**
 * Known users have places of their own, which no flood of logins takes. When too many wait, `run` throws 429
 * for one of those with the most. See docs/BEHAVIOUR.md#sessions-and-passwords.
 */
export function createPasswordQueue({ threads }: { threads: number }) {
  const concurrency = threads + SURPLUS
  const others = new Gate({ concurrency, maxWaiting: MAX_WAITING, groupOf: addressOwner })
  // By browser within the turns of a user: one that was known with a former password is not hers.
  const ofKnown = new Gate({
    concurrency,
    maxWaiting: MAX_KNOWN_WAITING,
    groupOf: (key) => key.split(' ')[0] ?? '',
  })
  return {
    run: <T>({ address, known }: PasswordCaller, work: () => Promise<T>): Promise<T> =>
      known === null ? others.run(address, work) : ofKnown.run(`${known.userId} ${known.browserId}`, work),
  }
}
export type PasswordQueue = ReturnType<typeof createPasswordQueue>
