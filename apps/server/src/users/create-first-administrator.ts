import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { EnvError } from '#env.ts'
import { passwordProblem } from '#users/password-problem.ts'
import {
  ADMINISTRATOR_NAME,
  countAdministrators,
  lockAdministratorDeletion,
  newAdministrator,
} from '#users/users.ts'
import { addUser } from '#users/add-user.ts'
import type { TellAdministratorsDeps } from '#users/tell-administrators.ts'

export type FirstAdministrator = { email: string; password: string }

/**
 * Creates the first administrator unless there is one. Returns whether there is one now. Several servers
 * may start at once. Throws EnvError for a password that is easy to guess. See
 * docs/BEHAVIOUR.md#people-and-rights.
 */
export async function createFirstAdministrator(
  given: FirstAdministrator | null,
  deps: Pick<Deps, 'db' | 'passwords'> & TellAdministratorsDeps,
): Promise<boolean> {
  if ((await countAdministrators(deps.db)) > 0) return true
  if (given === null) return false
  refuseGuessablePassword(given)
  const passwordHash = await deps.passwords.hash(given.password)
  await inTransaction(deps.db, async (trx) => {
    await lockAdministratorDeletion(trx)
    if ((await countAdministrators(trx)) > 0) return
    await addUser(newAdministrator(given.email, passwordHash), trx, deps)
  })
  return true
}

/** Throws EnvError. Only where the password is set: an installation that has it already starts as before. */
export function refuseGuessablePassword({ email, password }: FirstAdministrator): void {
  const problem = passwordProblem(password, { email, name: ADMINISTRATOR_NAME, company: null })
  if (problem !== null) throw new EnvError([`ADMIN_PASSWORD: ${problem}`])
}
