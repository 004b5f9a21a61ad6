import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { endSessionsOfUser } from '#repositories/sessions.ts'

/** Ends all sessions of a user at once: tokens stop working and sockets close. */
export async function endUserSessions(
  userId: number,
  trx: Transaction<Database>,
  { bus }: Pick<Deps, 'bus'>,
): Promise<void> {
  await endSessionsOfUser(trx, userId)
  await bus.publishEnd({ userId }, trx)
}
