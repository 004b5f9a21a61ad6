import { sessionTimes } from '@veridict/contract/limits'
import type { AccessClaims } from '@veridict/contract/notation/access-claims'

type Lifetime = Pick<AccessClaims, 'exp' | 'iat'>
const SECOND = 1000

/** A token is refreshed in its last two minutes, and not after it expired. `now` is in milliseconds. */
export function mayRefresh({ exp }: Pick<Lifetime, 'exp'>, now: number): boolean {
  const left = exp * SECOND - now
  return left > 0 && left <= sessionTimes.refreshLead
}

/**
 * Milliseconds from `now` until the refresh is due: two minutes before expiry; null after expiry. A token
 * that is valid for less than four minutes is refreshed after half its lifetime; otherwise each new token
 * would be due at once.
 */
export function refreshDelay({ exp, iat }: Lifetime, now: number): number | null {
  const left = exp * SECOND - now
  if (left <= 0) return null
  const life = Number.isFinite(iat) ? (exp - iat) * SECOND : Infinity
  const lead = Math.min(sessionTimes.refreshLead, life / 2)
  return Math.max(0, left - lead)
}
