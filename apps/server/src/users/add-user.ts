import { Role } from '@veridict/contract/model/role'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { EnvError } from '#env.ts'
import type { Trx, UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { passwordProblem } from '#users/password-problem.ts'
import { endSessionsOfUsers } from '#users/sessions.ts'
import { tellAdministrators, type TellAdministratorsDeps } from '#users/tell-administrators.ts'
import {
  ADMINISTRATOR_NAME,
  countAdministrators,
  findUserByEmail,
  insertUser,
  lockAdministratorDeletion,
  newAdministrator,
  type NewUser,
  setPasswordHash,
} from '#users/users.ts'

/** Adds a user. Only the seed of a demo adds users in another way. */
export async function addUser(user: NewUser, trx: Trx, deps: TellAdministratorsDeps): Promise<UserRow> {
  const added = await insertUser(trx, user)
  const { name, email: subject, phone, companyId, role } = added
  const detail = onlyAfter({ name, email: subject, phone, role })
  await recordAudit({ action: 'user.created', subject, companyId, detail }, trx, deps)
  await tellAdministrators(null, added, trx, deps)
  return added
}

/**
 * For an operator who cannot log in: an existing one gets a new password and its sessions end. Throws for the
 * address of a company user, and EnvError for a guessable password.
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
    await endSessionsOfUsers(trx, [user.id])
    await recordAudit({ action: 'password.set', subject: email }, trx, deps)
    return 'changed'
  })
}

export type FirstAdministrator = { email: string; password: string }

/**
 * Several servers may start at once. Throws EnvError if there is no administrator and none is given, or
 * with a guessable password. See docs/BEHAVIOUR.md#people-and-rights.
 */
export async function createFirstAdministrator(
  given: FirstAdministrator | null,
  deps: Pick<Deps, 'db' | 'passwords'> & TellAdministratorsDeps,
): Promise<void> {
  if ((await countAdministrators(deps.db)) > 0) return
  if (given === null)
    throw new EnvError(['ADMIN_EMAIL, ADMIN_PASSWORD: there is no administrator yet; set both to create one'])
  refuseGuessablePassword(given)
  const passwordHash = await deps.passwords.hash(given.password)
  await inTransaction(deps.db, async (trx) => {
    await lockAdministratorDeletion(trx)
    if ((await countAdministrators(trx)) > 0) return
    await addUser(newAdministrator(given.email, passwordHash), trx, deps)
  })
}

/** Throws EnvError. Only where the password is set: an installation that has it already starts as before. */
export function refuseGuessablePassword({ email, password }: FirstAdministrator): void {
  const problem = passwordProblem(password, { email, name: ADMINISTRATOR_NAME, company: null })
  if (problem !== null) throw new EnvError([`ADMIN_PASSWORD: ${problem}`])
}
