import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Viewer } from '#policies/viewer.ts'
import { endSession } from '#repositories/sessions.ts'

/** Ends the viewer's session at once: tokens stop working and sockets close. */
export async function logOut(
  viewer: Pick<Viewer, 'sessionId'>,
  deps: Pick<Deps, 'db' | 'bus'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await endSession(trx, viewer.sessionId)
    await deps.bus.publishEnd({ sessionId: viewer.sessionId }, trx)
  })
}
