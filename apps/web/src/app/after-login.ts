import { type Location, matchPath } from 'react-router'
import { readInterruption } from '#lib/session/token-store.ts'
import type { Session } from '#lib/session/use-session.ts'
import { patterns, screensOfRole } from './paths.ts'

/** Where a visit continues after the login, and whose it was: the history's state of the login page. */
type LoginState = { continueAt: string; ofEmail: string | null }

/** For the redirect to the login page; null where the login leads home. */
export function loginState({ pathname, search, hash }: Location): LoginState | null {
  const interruption = readInterruption()
  return interruption && { continueAt: pathname + search + hash, ofEmail: interruption.ofEmail }
}

/**
 * Leads to where the visit began if that is a screen of the person's role, else home. `//example.com` is a
 * path here and never another site. See docs/BEHAVIOUR.md#routes.
 */
export function addressAfterLogin(state: unknown, session: Pick<Session, 'email' | 'isAdmin'>): string {
  const { continueAt, ofEmail } = (state ?? {}) as Partial<LoginState>
  if (typeof continueAt !== 'string') return patterns.home
  if (typeof ofEmail === 'string' && ofEmail !== session.email) return patterns.home
  const path = continueAt.replace(/[?#].*$/s, '')
  const screens = screensOfRole[session.isAdmin ? 'admin' : 'user']
  return screens.some((pattern) => matchPath(pattern, path) !== null) ? continueAt : patterns.home
}
