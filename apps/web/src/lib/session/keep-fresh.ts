import { refreshSession } from '@veridict/contract/api/session'
import { call } from '#lib/http/client.ts'
import { readClaims } from './claims.ts'
import { runInOneTab } from './refresh-lock.ts'
import { mayRefresh, refreshDelay } from './refresh-schedule.ts'
import { tabChannel } from './tab-channel.ts'
import { tokenStore } from './token-store.ts'

/** A refresh that failed is tried again after this long while the token still lives, in milliseconds. */
const retryAfter = 20_000
/** Timers may fire a moment early, and then nothing would be due yet. */
const timerSlack = 50

/**
 * Keeps the stored session alive: refreshes it two minutes before expiry and when the tab becomes visible,
 * and follows what other tabs do. Gives a function that stops it. Spec §4.
 */
export function keepSessionFresh(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    clearTimeout(timer)
    const session = tokenStore.read()
    const claims = session === null ? null : readClaims(session.token)
    const delay = claims === null ? null : refreshDelay(claims, Date.now())
    if (delay !== null) timer = setTimeout(refreshAndFollow, delay + timerSlack)
  }
  const refreshAndFollow = async () => {
    const before = tokenStore.read()?.token
    await refreshIfDue()
    if (before !== undefined && tokenStore.read()?.token === before)
      timer = setTimeout(refreshAndFollow, retryAfter)
  }
  const onVisible = () => {
    if (document.visibilityState === 'visible') void refreshIfDue()
  }
  const onStorage = ({ storageArea }: StorageEvent) => {
    if (storageArea === localStorage) tokenStore.notifyChange()
  }
  const stopHearing = tabChannel.subscribe((event) =>
    event === 'System_Logout' ? tokenStore.clear() : tokenStore.notifyChange(),
  )
  const stopWatching = tokenStore.subscribe(schedule)
  document.addEventListener('visibilitychange', onVisible)
  addEventListener('storage', onStorage)
  schedule()
  return () => {
    clearTimeout(timer)
    stopHearing()
    stopWatching()
    document.removeEventListener('visibilitychange', onVisible)
    removeEventListener('storage', onStorage)
  }
}

/**
 * Refreshes the session if its token is in its last two minutes. Failures are only logged: the next 401 ends
 * the session.
 */
export async function refreshIfDue(): Promise<void> {
  await runInOneTab(async () => {
    const session = tokenStore.read()
    const claims = session === null ? null : readClaims(session.token)
    if (session === null || claims === null || !mayRefresh(claims, Date.now())) return
    try {
      const { userTokens } = await call(refreshSession, { body: { refreshToken: session.refreshToken } })
      // Whoever logged out, or in as someone else, while the call was under way must not be overwritten.
      if (tokenStore.read()?.refreshToken !== session.refreshToken) return
      tokenStore.saveTokens(userTokens)
      tabChannel.send('Update_Token')
    } catch (error) {
      console.error('The session could not be refreshed.', error)
    }
  })
}
