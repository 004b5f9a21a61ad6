import {
  endOtherSessions,
  endSession as endOneSession,
  listSessions,
  logOut,
} from '@veridict/contract/api/session'
import { confirmLeaving } from '#lib/forms/use-leave-guard.ts'
import { call } from '#lib/http/client.ts'
import { queryOf } from '#lib/http/query-of.ts'
import { useChange } from '#lib/http/use-change.ts'
import { endSession } from '#lib/session/end-session.ts'

/**
 * Logs out; asks first if an upload or unsaved changes would be lost. Ends the session on the server, and in
 * this browser even if the call fails: computers are shared.
 */
export async function confirmAndLogOut(): Promise<void> {
  if (!(await confirmLeaving())) return
  try {
    await call(logOut)
  } catch (error) {
    console.error('The server did not receive the logout.', error)
  } finally {
    endSession()
  }
}

/** Where one's own account is logged in. */
export const sessionsQuery = queryOf(listSessions)

export const useEndSession = () => useChange((id: string) => call(endOneSession, { params: { id } }))
export const useEndOtherSessions = () => useChange(() => call(endOtherSessions))
