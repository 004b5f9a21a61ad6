import type { UserTokens } from '@veridict/contract/api/session'
import type { AccessClaims } from '@veridict/contract/notation/access-claims'
import { createStore } from '#lib/store.ts'

/** Keys in local storage. See docs/BEHAVIOUR.md#sessions-and-passwords. */
const keys = { userName: 'username', email: 'email', token: 'token', refreshToken: 'refreshToken' } as const
/** Key of the time at which this browser received a token, by its own clock, with a mark of that token. */
const receivedKey = 'tokenReceived'

/** What the browser stores of a session. A stored token means "logged in". */
export type StoredSession = { userName: string; email: string; token: string; refreshToken: string }

/** The number of changes. React reads the store again when it differs. */
const version = createStore(0)
const changed = () => version.set(version.get() + 1)

/** Whether this page has had a session since it was loaded. */
let hadSession = false

export const tokenStore = {
  /** null when logged out. */
  read(): StoredSession | null {
    const token = localStorage.getItem(keys.token)
    if (token === null || token === '') return null
    hadSession = true
    const stored = (key: string) => localStorage.getItem(key) ?? ''
    return {
      token,
      userName: stored(keys.userName),
      email: stored(keys.email),
      refreshToken: stored(keys.refreshToken),
    }
  },
  /** Milliseconds since the token arrived, by the clock of this browser; null if that was not stored. */
  age(token: string, now: number): number | null {
    const [lifetime, receivedAt] = (localStorage.getItem(receivedKey) ?? '').split(' ')
    return lifetime === lifetimeOf(token) ? Math.max(0, now - Number(receivedAt)) : null
  },
  save(session: StoredSession): void {
    for (const [name, key] of Object.entries(keys))
      localStorage.setItem(key, session[name as keyof StoredSession])
    localStorage.setItem(receivedKey, `${lifetimeOf(session.token)} ${Date.now()}`)
    changed()
  },
  saveTokens({ accessToken, refreshToken }: UserTokens): void {
    const session = tokenStore.read()
    if (session !== null) tokenStore.save({ ...session, token: accessToken, refreshToken })
  },
  /** Clears all of local storage, not just these keys. */
  clear(): void {
    localStorage.clear()
    changed()
  },
  /** Calls the listener after each change in this tab, and after `notifyChange` for one of another tab. */
  subscribe: version.subscribe,
  notifyChange: changed,
}

/** A text that differs between the tokens of one session. */
function lifetimeOf(token: string): string {
  const claims = readClaims(token)
  return `${claims?.iat}-${claims?.exp}`
}

/** Claims of an access token, without checking its signature (the server does); null if it is not a token. */
export function readClaims(token: string): AccessClaims | null {
  try {
    const payload = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return claims !== null && typeof claims === 'object' && 'exp' in claims ? (claims as AccessClaims) : null
  } catch {
    return null
  }
}

/**
 * A visit that began without a session, or whose expired session the server ended: the login continues it.
 * `ofEmail` is whose session that was; null: anybody's.
 */
type Interruption = { ofEmail: string | null }

/** The session that the server ended last, until the next login. */
let ended: Interruption | null = null

/** null after a logout: the next person at this browser starts at home. */
export const readInterruption = (): Interruption | null => (hadSession ? ended : { ofEmail: null })

/** Call this before the session is ended. */
export function interruptVisit(): void {
  ended = { ofEmail: tokenStore.read()?.email ?? null }
}

tokenStore.subscribe(() => {
  if (tokenStore.read() !== null) ended = null
})
