import { logOut } from '@veridict/contract/api/session'
import { confirmLeaving } from '#lib/forms/use-leave-guard.ts'
import { call } from '#lib/http/client.ts'
import { endSession } from '#lib/session/end-session.ts'

/** Ends the session on the server, and in this browser even if the call fails: computers are shared. */
export async function logOutEverywhere(): Promise<void> {
  try {
    await call(logOut)
  } catch (error) {
    console.error('The server did not receive the logout.', error)
  } finally {
    endSession()
  }
}

/** Logs out; asks first if an upload or unsaved changes would be lost. */
export async function confirmAndLogOut(): Promise<void> {
  if (await confirmLeaving()) await logOutEverywhere()
}
