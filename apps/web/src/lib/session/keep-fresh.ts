import { refreshSession } from '@veridict/contract/api/session'
import { call } from '#lib/http/client.ts'
import { readClaims } from './claims.ts'
import { runInOneTab } from './refresh-lock.ts'
import { mayRefresh, refreshDelay, remainingOf } from './refresh-schedule.ts'
import { tabChannel } from './tab-channel.ts'
import { tokenStore } from './token-store.ts'

/** Milliseconds until a failed refresh is retried, while the token is still valid. */
const retryAfter = 20_000
/** Milliseconds added to each timer: one that fires early would find no refresh due. */
const timerSlack = 50

/**
 * Keeps the stored session alive: refreshes it two minutes before expiry and when the tab becomes visible.
 * Returns a function that stops it. See docs/BEHAVIOUR.md#sessions-and-passwords.
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
