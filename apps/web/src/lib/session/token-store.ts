import type { UserTokens } from '@veridict/contract/api/session'
import { createStore } from '#lib/store.ts'

/** Keys in local storage. See docs/BEHAVIOUR.md#sessions-and-passwords. */
const keys = { userName: 'username', email: 'email', token: 'token', refreshToken: 'refreshToken' } as const

/** What the browser stores of a session. A stored token means "logged in". */
export type StoredSession = { userName: string; email: string; token: string; refreshToken: string }

/** Counts changes: React rereads the store when it moves. */
const version = createStore(0)
const changed = () => version.set(version.get() + 1)

export const tokenStore = {
  /** The stored session, or null when logged out. */
  read(): StoredSession | null {
    const token = localStorage.getItem(keys.token)
    if (token === null || token === '') return null
    const stored = (key: string) => localStorage.getItem(key) ?? ''
    return {
      token,
      userName: stored(keys.userName),
      email: stored(keys.email),
      refreshToken: stored(keys.refreshToken),
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
  /** Clears all of local storage, not just these keys. */
  clear(): void {
    localStorage.clear()
    changed()
  },
  /** Calls the listener after each change in this tab, and after `notifyChange` for one of another tab. */
  subscribe: version.subscribe,
  notifyChange: changed,
}
