import { Role } from '@veridict/contract/model/role'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { endSessionsOfUser } from '#users/sessions.ts'
import { findUserByEmail, newAdministrator, setPasswordHash } from '#users/users.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { addUser } from '#users/add-user.ts'
import type { TellAdministratorsDeps } from '#users/tell-administrators.ts'
import { refuseGuessablePassword, type FirstAdministrator } from '#users/create-first-administrator.ts'

/**
 * Creates an administrator, or gives an existing one a new password and ends their sessions, for an operator
 * who cannot log in. Throws if the e-mail address belongs to a company user, and
 * EnvError for a password that is easy to guess.
 */
export async function setAdministrator(
  { email, password }: FirstAdministrator,
  deps: Pick<Deps, 'db' | 'passwords'> & TellAdministratorsDeps,
): Promise<'created' | 'changed'> {
  refuseGuessablePassword({ email, password })
  const passwordHash = await deps.passwords.hash(password)
  return inTransaction(deps.db, async (trx) => {
    const user = await findUserByEmail(trx, email)
    if (user === undefined) {
      await addUser(newAdministrator(email, passwordHash), trx, deps)
      return 'created'
    }
    if (user.role !== Role.SuperAdmin)
      throw new Error(`${email} belongs to a company user; an administrator needs another address.`)
    await setPasswordHash(trx, user.id, passwordHash)
    await endSessionsOfUser(trx, user.id)
    await recordAudit({ action: 'password.set', subject: email }, trx, deps)
    return 'changed'
  })
}
