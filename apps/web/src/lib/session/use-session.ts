import { useMemo, useSyncExternalStore } from 'react'
import { readClaims, tokenStore } from './token-store.ts'

/** The logged-in user, as the stored token says. The server checks the rights of every call by itself. */
export type Session = { userName: string; email: string; userId: string; isAdmin: boolean }

/** The session, or null for a visitor; updates on login and logout, in other tabs too. */
export function useSession(): Session | null {
  const token = useSyncExternalStore(tokenStore.subscribe, () => tokenStore.read()?.token ?? null)
  return useMemo(() => (token === null ? null : readSession()), [token])
}

export function readSession(): Session | null {
  const stored = tokenStore.read()
  if (stored === null) return null
  const claims = readClaims(stored.token)
  const { userName, email } = stored
  return { userName, email, userId: claims?.nameid ?? '', isAdmin: claims?.IsSuperAdmin === 'True' }
}

/** First letters of the first and the last word of a name; "?" for none. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return letters.map((word) => [...word][0].toUpperCase()).join('') || '?'
}
