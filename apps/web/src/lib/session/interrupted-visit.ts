import { tokenStore } from './token-store.ts'

/**
 * A visit that leads to the login page and continues where it was: it began without a session, or the server
 * ended its session, which had expired. `ofEmail` is whose session that was; null: it can be anybody's.
 */
export type Interruption = { ofEmail: string | null }

/** The session that the server ended last, until the next login. */
let ended: Interruption | null = null

/** null after a logout: the next person at this browser starts at home. */
export const readInterruption = (): Interruption | null =>
  tokenStore.hasHadSession() ? ended : { ofEmail: null }

/** Call this before the session is ended. */
export function interruptVisit(): void {
  ended = { ofEmail: tokenStore.read()?.email ?? null }
}

tokenStore.subscribe(() => {
  if (tokenStore.read() !== null) ended = null
})
