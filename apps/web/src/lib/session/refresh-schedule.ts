import { sessionTimes } from '@veridict/contract/limits'
import type { AccessClaims } from '@veridict/contract/notation/access-claims'

/** A stored token at one moment, in milliseconds. */
type Remaining = {
  left: number
  /** Infinity where the token does not say when it was issued. */
  life: number
}
const SECOND = 1000

/**
 * What is left of a token's life. `age` is how long this browser has had the token, by its own clock, which
 * may be minutes wrong: only then is no clock compared with the server's. It is null for a token whose
 * arrival was not stored.
 */
export function remainingOf(
  { exp, iat }: Pick<AccessClaims, 'exp' | 'iat'>,
  age: number | null,
  now: number,
): Remaining {
  const life = Number.isFinite(iat) ? (exp - iat) * SECOND : Infinity
  const left = age !== null && life !== Infinity ? life - age : exp * SECOND - now
  return { left, life }
}

/** A token is refreshed in its last two minutes, and not after it expired. */
export function mayRefresh({ left }: Remaining): boolean {
  return left > 0 && left <= sessionTimes.refreshLead
}

/**
 * Milliseconds until the refresh is due: two minutes before expiry; null after expiry. A token that is valid
 * for less than four minutes is refreshed after half its lifetime; otherwise each new token would be due at
 * once.
 */
export function refreshDelay({ left, life }: Remaining): number | null {
  if (left <= 0) return null
  return Math.max(0, left - Math.min(sessionTimes.refreshLead, life / 2))
}
