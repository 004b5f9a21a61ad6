import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { endSession, endSessionsOfUser } from '#repositories/sessions.ts'

/** Ends all sessions of a user at once: tokens stop working and sockets close. */
export async function endUserSessions(
  userId: number,
  trx: Transaction<Database>,
  { bus }: Pick<Deps, 'bus'>,
): Promise<void> {
  await endSessionsOfUser(trx, userId)
  await bus.publishEnd({ userId }, trx)
}

/** Ends one session at once: its tokens stop working and its sockets close. */
export async function endOneSession(
  sessionId: string,
  trx: Transaction<Database>,
  { bus }: Pick<Deps, 'bus'>,
): Promise<void> {
  await endSession(trx, sessionId)
  await bus.publishEnd({ sessionId }, trx)
}
