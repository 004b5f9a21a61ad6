import { addressPattern, type UserForm } from '@veridict/contract/forms/user'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import { userMessages } from '@veridict/contract/messages/users'
import type { Transaction } from 'kysely'
import type { Database, UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict, invalid, notFound } from '#errors.ts'
import { isOwnAccount } from '#platform/access/may.ts'
import { isEmergencyAccount } from '#users/password-login.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import { deleteIdentities } from '#users/identities.ts'
import { changeUser, lockUser } from '#users/users.ts'
import { changes } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { refuseStale, userEtag } from '#platform/etags.ts'
import { endUserSessions } from '#users/end-user-sessions.ts'
import { tellAdministrators } from '#users/tell-administrators.ts'
import { refuseDuplicateEmail } from '#users/refuse-duplicate-email.ts'
import { sendPasswordLink, type PasswordLinkDeps } from '#users/send-password-link.ts'

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
      const user = await lockUser(trx, id)
      if (user === undefined) throw notFound('User')
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
  trx: Transaction<Database>,
  deps: PasswordLinkDeps & Pick<Deps, 'bus'>,
): Promise<void> {
  await deleteIdentities(trx, user.id)
  await sendPasswordLink(user, user.passwordHash === null ? 'invitation' : 'newAddress', trx, deps)
  await endUserSessions(user, 'the e-mail was changed', trx, deps)
}
