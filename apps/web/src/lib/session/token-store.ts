import type { UserTokens } from '@veridict/contract/api/session'
import { createStore } from '#lib/store.ts'

/** Keys of the browser's storage. Spec §3. */
const keys = { userName: 'username', email: 'email', token: 'token', refreshToken: 'refreshToken' } as const

/** What the browser keeps of a session. Logged in = a token is stored. Spec §4. */
export type StoredSession = { userName: string; email: string; token: string; refreshToken: string }

/** Counts changes; React reads it to know that `read` may answer something new. */
const version = createStore(0)
const changed = () => version.set(version.get() + 1)

export const tokenStore = {
  /** The stored session, or null when logged out. */
  read(): StoredSession | null {
    const token = localStorage.getItem(keys.token)
    if (token === null || token === '') return null
    const kept = (key: string) => localStorage.getItem(key) ?? ''
    return {
      token,
      userName: kept(keys.userName),
      email: kept(keys.email),
      refreshToken: kept(keys.refreshToken),
    }
  },
  save(session: StoredSession): void {
    for (const [name, key] of Object.entries(keys))
      localStorage.setItem(key, session[name as keyof StoredSession])
    changed()
  },
  saveTokens({ accessToken, refreshToken }: UserTokens): void {
    localStorage.setItem(keys.token, accessToken)
    localStorage.setItem(keys.refreshToken, refreshToken)
    changed()
  },
  /** Logging out clears all of the storage. Spec §4. */
  clear(): void {
    localStorage.clear()
    changed()
  },
  /**
   * Tells of changes made in this tab; other tabs tell of theirs over `tabChannel`, which calls `notifyChange`.
   */
  subscribe: version.subscribe,
  notifyChange: changed,
}
