import type { BodyOf } from '@veridict/contract/api/endpoint'
import type { createUser as endpoint } from '@veridict/contract/api/users'
import { addressPattern, type UserForm } from '@veridict/contract/forms/user'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import { userMessages } from '@veridict/contract/messages/users'
import { Role } from '@veridict/contract/model/role'
import { changes, onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { conflict, found, invalid } from '#errors.ts'
import { isOwnAccount, type Viewer } from '#platform/access/viewer.ts'
import type { Trx, UserRow } from '#platform/database/tables.ts'
import { inTransaction, isUniqueViolation } from '#platform/database/transaction.ts'
import { refuseStale, userEtag } from '#platform/etags.ts'
import { endUserSessions } from '#users/end-user-sessions.ts'
import { deleteIdentities } from '#users/identities.ts'
import { isEmergencyAccount } from '#users/password-login.ts'
import { type PasswordLinkDeps, sendPasswordLink } from '#users/send-password-link.ts'
import { tellAdministrators, type TellAdministratorsDeps } from '#users/tell-administrators.ts'
import {
  changeUser,
  insertUser,
  lockCompanyForShare,
  lockUser,
  type NewUser,
  USERS_EMAIL_KEY,
  ADMINISTRATOR_NAME,
  countAdministrators,
  findUserByEmail,
  lockAdministratorDeletion,
  newAdministrator,
  setPasswordHash,
} from '#users/users.ts'
import { EnvError } from '#env.ts'
import { passwordProblem } from '#users/password-problem.ts'
import { endSessionsOfUser } from '#users/sessions.ts'

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
 * Creates a clerk of a company, or an administrator without one, and sends the invitation. Returns the id.
 * 400 if role and company do not match or the company does not exist, 409 for a duplicate e-mail address.
 */
export async function createUser(
  form: BodyOf<typeof endpoint>,
  deps: PasswordLinkDeps & Pick<Deps, 'db'>,
): Promise<number> {
  const { name, email, phone, companyId, isSuperAdmin } = form
  if (isSuperAdmin && companyId !== null) throw invalid('companyId', userMessages.administratorWithCompany)
  if (!isSuperAdmin && companyId === null) throw invalid('companyId', userMessages.companyRequired)
  return refuseDuplicateEmail(() =>
    inTransaction(deps.db, async (trx) => {
      if (companyId !== null && !(await lockCompanyForShare(trx, companyId)))
        throw invalid('companyId', userMessages.companyRequired)
      const role = isSuperAdmin ? Role.SuperAdmin : Role.CompanyUser
      const user = await addUser({ name, email, phone, companyId, role, passwordHash: null }, trx, deps)
      await sendPasswordLink(user, 'invitation', trx, deps)
      return user.id
    }),
  )
}

/**
 * Changes name, e-mail address and phone; nothing else of a user can change. A new address is invited:
 * links that were sent to the old one stop working, and the user's sessions end. Returns whether it is.
 * 400 for a change of the own address, for a new one that is none, or for the form of another user; 404; 409
 * for a duplicate address, or if the user was changed since the ETag `version` was read.
 */
export async function updateUser(
  id: number,
  { id: formId, version: etag, ...form }: UserForm & { id?: number; version?: string | null },
  viewer: Viewer,
  deps: PasswordLinkDeps & Pick<Deps, 'db' | 'bus'>,
): Promise<boolean> {
  if (formId !== undefined && formId !== id) throw invalid('id', noticeMessages.invalidId)
  return refuseDuplicateEmail(() =>
    inTransaction(deps.db, async (trx) => {
      const user = await found(lockUser(trx, id), 'User')
      refuseStale(etag, userEtag(user))
      if (isOwnAccount(id, viewer) && form.email !== user.email) throw invalid('email', userMessages.ownEmail)
      if (form.email !== user.email && !addressPattern.test(form.email))
        throw invalid('email', userMessages.emailInvalid)
      const isNewAddress = form.email.toLowerCase() !== user.email.toLowerCase()
      if (isNewAddress && isEmergencyAccount(user.email, deps.env))
        throw conflict(signOnMessages.keepsAdministrator)
      const changed = await changeUser(trx, id, form)
      const about = { subject: user.email, companyId: user.companyId }
      const detail = changes(audited(user), audited(form))
      await recordAudit({ action: 'user.updated', ...about, detail }, trx, deps)
      if (isNewAddress) {
        await inviteNewAddress(changed, trx, deps)
        await tellAdministrators(user, changed, trx, deps)
      }
      return isNewAddress
    }),
  )
}

const audited = ({ name, email, phone }: UserForm) => ({ name, email, phone })

/** The password stays as it is: the person is the same one until the link is used. */
async function inviteNewAddress(
  user: UserRow,
  trx: Trx,
  deps: PasswordLinkDeps & Pick<Deps, 'bus'>,
): Promise<void> {
  await deleteIdentities(trx, user.id)
  await sendPasswordLink(user, user.passwordHash === null ? 'invitation' : 'newAddress', trx, deps)
  await endUserSessions(user, 'the e-mail was changed', trx, deps)
}

/** Runs a write; for an e-mail address in use it throws 409 with the key that the form expects. */
async function refuseDuplicateEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, USERS_EMAIL_KEY)) throw error
    throw conflict(userMessages.duplicateEmail, { DuplicateEmail: [userMessages.duplicateEmail] })
  }
}

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

/** Throws EnvError if nobody could log in while single sign-on is down. */
export async function refuseLockout({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<void> {
  if (env.passwordLogin || env.adminEmail === null) return
  const user = await findUserByEmail(db, env.adminEmail)
  if (user?.role === Role.SuperAdmin && user.passwordHash !== null) return
  throw new EnvError([
    'PASSWORD_LOGIN: off needs an administrator with the e-mail of ADMIN_EMAIL and a password, who can log ' +
      'in when single sign-on is down; node apps/server/src/commands/create-admin.ts creates one',
  ])
}
