import * as endpoints from '@veridict/contract/api/users'
import { addressPattern, type UserForm } from '@veridict/contract/forms/user'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import { userMessages } from '@veridict/contract/messages/users'
import { Role } from '@veridict/contract/model/role'
import { changes, onlyBefore, recordAudit, recordView } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { conflict, forbidden, found, invalid } from '#errors.ts'
import { isOwnAccount } from '#platform/access/viewer.ts'
import { countUserFiles } from '#platform/database/deletion-counts.ts'
import type { Trx, UserRow } from '#platform/database/tables.ts'
import { inTransaction, isUniqueViolation } from '#platform/database/transaction.ts'
import { refuseStale, userEtag } from '#platform/etags.ts'
import { mountCalls, WithMessage } from '#platform/http/mount.ts'
import { readPage } from '#platform/page.ts'
import { addUser } from '#users/add-user.ts'
import { endUserSessions } from '#users/end-user-sessions.ts'
import { deleteIdentities } from '#users/identities.ts'
import { invalidatePasswordLinks } from '#users/password-links.ts'
import { isEmergencyAccount } from '#users/password-login.ts'
import { type PasswordLinkDeps, sendPasswordLink } from '#users/send-password-link.ts'
import { tellAdministrators } from '#users/tell-administrators.ts'
import {
  changeUser,
  countAdministrators,
  findAdministrators,
  findUser,
  lockAdministratorDeletion,
  lockCompanyForShare,
  lockUser,
  markUserDeleted,
  USERS_EMAIL_KEY,
} from '#users/users.ts'

export const mountUsers = mountCalls(endpoints, {
  async listAdministrators({ query, deps }) {
    const { db } = deps
    await recordView({ action: 'people.viewed', subject: 'Administrators', key: 'administrators' }, deps)
    return readPage(findAdministrators(db, query), presentUserItem, query)
  },

  async readUser({ params: { id }, deps }) {
    const user = await found(findUser(deps.db, id), 'User')
    const { email: subject, companyId, role } = user
    await recordView({ action: 'people.viewed', subject, companyId, key: `user ${id}` }, deps)
    return { ...presentUserItem(user), companyId, isSuperAdmin: role === Role.SuperAdmin }
  },

  /** 400 if role and company do not match or the company does not exist, 409 for a duplicate e-mail. */
  async createUser({ body: { name, email, phone, companyId, isSuperAdmin }, deps }) {
    if (isSuperAdmin && companyId !== null) throw invalid('companyId', userMessages.administratorWithCompany)
    if (!isSuperAdmin && companyId === null) throw invalid('companyId', userMessages.companyRequired)
    return refuseDuplicateEmail(() =>
      inTransaction(deps.db, async (trx) => {
        if (companyId !== null && !(await lockCompanyForShare(trx, companyId)))
          throw invalid('companyId', userMessages.companyRequired)
        const role = isSuperAdmin ? Role.SuperAdmin : Role.CompanyUser
        const user = await addUser({ name, email, phone, companyId, role, passwordHash: null }, trx, deps)
        await sendPasswordLink(user, 'invitation', trx, deps)
        return { id: user.id }
      }),
    )
  },

  /**
   * A new address is invited; links to the old one stop working, and sessions end. 400 for a change of the
   * own address, an invalid one, or another user's form; 409 for a duplicate, or if the user was changed
   * since the ETag `version` was read.
   */
  async updateUser({ params: { id }, body: { id: formId, version: etag, ...form }, viewer, deps }) {
    if (formId !== undefined && formId !== id) throw invalid('id', noticeMessages.invalidId)
    return refuseDuplicateEmail(() =>
      inTransaction(deps.db, async (trx) => {
        const user = await found(lockUser(trx, id), 'User')
        refuseStale(etag, userEtag(user))
        if (isOwnAccount(id, viewer) && form.email !== user.email)
          throw invalid('email', userMessages.ownEmail)
        if (form.email !== user.email && !addressPattern.test(form.email))
          throw invalid('email', userMessages.emailInvalid)
        const isNewAddress = form.email.toLowerCase() !== user.email.toLowerCase()
        if (isNewAddress && isEmergencyAccount(user.email, deps.env))
          throw conflict(signOnMessages.keepsAdministrator)
        const changed = await changeUser(trx, id, form)
        const about = { subject: user.email, companyId: user.companyId }
        const detail = changes(audited(user), audited(form))
        await recordAudit({ action: 'user.updated', ...about, detail }, trx, deps)
        if (!isNewAddress) return new WithMessage({ id }, userMessages.saved)
        await inviteNewAddress(changed, trx, deps)
        await tellAdministrators(user, changed, trx, deps)
        return new WithMessage({ id }, userMessages.savedAndInvited)
      }),
    )
  },

  /** Ends the sessions, too. 403 for the own account, 409 for the last administrator. */
  async deleteUser({ params: { id }, viewer, deps }) {
    if (isOwnAccount(id, viewer)) throw forbidden(userMessages.ownAccount)
    await inTransaction(deps.db, async (trx) => {
      await lockAdministratorDeletion(trx)
      const user = await found(lockUser(trx, id), 'User')
      if (user.role === Role.SuperAdmin && (await countAdministrators(trx)) <= 1)
        throw conflict(userMessages.lastAdministrator)
      if (isEmergencyAccount(user.email, deps.env)) throw conflict(signOnMessages.keepsAdministrator)
      const deleted = await markUserDeleted(trx, id)
      await deleteIdentities(trx, id)
      await invalidatePasswordLinks(trx, [id])
      const { email: subject, companyId, name, role } = user
      const detail = onlyBefore({ name, email: user.email, role })
      await recordAudit({ action: 'user.deleted', subject, companyId, detail }, trx, deps)
      await endUserSessions(user, 'the user was deleted', trx, deps)
      await tellAdministrators(user, deleted, trx, deps)
    })
  },

  async previewUserDeletion({ params: { id }, deps: { db } }) {
    const { role } = await found(findUser(db, id), 'User')
    return { isSuperAdmin: role === Role.SuperAdmin, ...(await countUserFiles(db, id)) }
  },

  /**
   * Sends an invitation if no password was set yet, else a reset, and ends the sessions. The old password
   * works until a new one is set; the next single sign-on binds the account again, also to another subject at
   * the provider. 403 for the own account.
   */
  async resetUserPassword({ body: { userId }, viewer, deps }) {
    if (isOwnAccount(userId, viewer)) throw forbidden(userMessages.ownAccount)
    await inTransaction(deps.db, async (trx) => {
      const user = await found(lockUser(trx, userId), 'User')
      await deleteIdentities(trx, userId)
      await invalidatePasswordLinks(trx, [userId])
      await sendPasswordLink(user, user.passwordHash === null ? 'invitation' : 'reset', trx, deps)
      await endUserSessions(user, 'reset by an administrator', trx, deps)
    })
  },
})

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

const presentUserItem = (user: UserRow): endpoints.UserItem => ({
  id: user.id,
  name: user.name,
  email: user.email,
  phone: user.phone,
  version: userEtag(user),
})
