import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { countAdministrators, insertAdministrator, lockAdministratorDeletion } from '#repositories/users.ts'

export type FirstAdministrator = { email: string; password: string }

/**
 * Creates the first administrator unless there is one. Returns whether there is one now. Several servers may
 * start at once. See docs/BEHAVIOUR.md#people-and-rights.
 */
export async function createFirstAdministrator(
  given: FirstAdministrator | null,
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
): Promise<boolean> {
  if ((await countAdministrators(db)) > 0) return true
  if (given === null) return false
  const passwordHash = await passwords.hash(given.password)
  await inTransaction(db, async (trx) => {
    await lockAdministratorDeletion(trx)
    if ((await countAdministrators(trx)) > 0) return
    await insertAdministrator(trx, given.email, passwordHash)
  })
  return true
}
