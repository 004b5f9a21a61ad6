import { createStore } from '#lib/store.ts'

/**
 * How many calls are in flight that the global busy indicator counts. Uploads and the refresh call are
 * exempt. Spec §4.
 */
export const callsInFlight = createStore(0)

/** Counts `work` as in flight until it settles. */
export async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  callsInFlight.set(callsInFlight.get() + 1)
  try {
    return await work()
  } finally {
    callsInFlight.set(callsInFlight.get() - 1)
  }
}
