import { createStore } from '#lib/store.ts'

/** Without uploads and the refresh. See docs/BEHAVIOUR.md#requests-in-flight. */
export const callsInFlight = createStore(0)

/** Counts `work` as a call in flight until it settles. */
export async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  callsInFlight.set(callsInFlight.get() + 1)
  try {
    return await work()
  } finally {
    callsInFlight.set(callsInFlight.get() - 1)
  }
}
