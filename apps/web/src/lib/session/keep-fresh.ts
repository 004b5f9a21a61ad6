import { refreshSession } from '@veridict/contract/api/session'
import { sessionTimes } from '@veridict/contract/limits'
import type { AccessClaims } from '@veridict/contract/notation/access-claims'
import { call } from '#lib/http/client.ts'
import { tabChannel } from './tab-channel.ts'
import { readClaims, tokenStore } from './token-store.ts'

/** Milliseconds until a failed refresh is retried, while the token is still valid. */
const retryAfter = 20_000
/** Milliseconds added to each timer: one that fires early would find no refresh due. */
const timerSlack = 50

/**
 * Refreshes two minutes before expiry and when the tab becomes visible. The returned function stops it. See
 * docs/BEHAVIOUR.md#sessions-and-passwords.
 */
export function keepSessionFresh(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    clearTimeout(timer)
    const remaining = remainingNow()
    const delay = remaining && refreshDelay(remaining)
    if (delay !== null) timer = setTimeout(refreshOrRetry, delay + timerSlack)
  }
  const refreshOrRetry = async () => {
    const before = tokenStore.read()?.token
    await refreshIfDue()
    if (before !== undefined && tokenStore.read()?.token === before)
      timer = setTimeout(refreshOrRetry, retryAfter)
  }
  const onVisible = () => {
    if (document.visibilityState === 'visible') void refreshIfDue()
  }
  const unsubscribeFromStore = tokenStore.subscribe(schedule)
  document.addEventListener('visibilitychange', onVisible)
  schedule()
  return () => {
    clearTimeout(timer)
    unsubscribeFromStore()
    document.removeEventListener('visibilitychange', onVisible)
  }
}

/** What is left of the stored token; null for a visitor. */
function remainingNow() {
  const token = tokenStore.read()?.token
  const claims = token === undefined ? null : readClaims(token)
  if (token === undefined || claims === null) return null
  const now = Date.now()
  return remainingOf(claims, tokenStore.age(token, now), now)
}

/** Refreshes a token in its last two minutes. A failure is only logged: the next 401 ends the session. */
export async function refreshIfDue(): Promise<void> {
  await runInOneTab(async () => {
    const session = tokenStore.read()
    const remaining = remainingNow()
    if (session === null || remaining === null || !mayRefresh(remaining)) return
    try {
      const { userTokens } = await call(refreshSession, { body: { refreshToken: session.refreshToken } })
      // A logout or another login during the call must not be overwritten.
      if (tokenStore.read()?.refreshToken !== session.refreshToken) return
      tokenStore.saveTokens(userTokens)
      tabChannel.send('Update_Token')
    } catch (error) {
      console.error('The session could not be refreshed.', error)
    }
  })
}

const flagKey = 'isRefreshing'
const lockName = 'veridict-refresh'
/** Milliseconds after which a flag counts as left behind by a closed tab. */
const staleAfter = 30_000

/**
 * A Web Lock decides, because it ends with its tab. On an insecure origin, which has no locks, the flag in
 * local storage decides; it is set in both cases.
 */
async function runInOneTab(work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return isFlagged() ? undefined : runFlagged(work)
  await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await runFlagged(work)
  })
}

async function runFlagged(work: () => Promise<void>): Promise<void> {
  localStorage.setItem(flagKey, String(Date.now()))
  try {
    await work()
  } finally {
    localStorage.removeItem(flagKey)
  }
}

function isFlagged(): boolean {
  return Date.now() - Number(localStorage.getItem(flagKey) ?? 0) < staleAfter
}

/** A stored token at one moment, in milliseconds. */
type Remaining = {
  left: number
  /** Infinity where the token does not say when it was issued. */
  life: number
}
const SECOND = 1000

/**
 * `age` is how long this browser has had the token: the same clock measures both ends, because it may be
 * minutes off the server's. null if the arrival was not stored.
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
 * In milliseconds: two minutes before expiry; null after it. A token of less than four minutes is refreshed
 * after half its lifetime; otherwise each new one would be due at once.
 */
export function refreshDelay({ left, life }: Remaining): number | null {
  if (left <= 0) return null
  return Math.max(0, left - Math.min(sessionTimes.refreshLead, life / 2))
}
