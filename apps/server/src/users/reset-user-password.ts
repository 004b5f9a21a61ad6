import { userMessages } from '@veridict/contract/messages/users'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { forbidden, notFound } from '#errors.ts'
import { isOwnAccount } from '#platform/access/may.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import { deleteIdentities } from '#users/identities.ts'
import { invalidatePasswordLinks } from '#users/password-links.ts'
import { lockUser } from '#users/users.ts'
import { endUserSessions } from '#users/end-user-sessions.ts'
import { sendPasswordLink, type PasswordLinkDeps } from '#users/send-password-link.ts'

/**
 * Sends a user the link to set a password (an invitation if none was set yet, else a reset) and ends the
 * user's sessions. The old password works until a new one is set; the next single sign-on binds the account
 * again, so that a user with a new account at the provider can log in. 403 for the own account, 404.
 */
export async function resetUserPassword(
  userId: number,
  viewer: Viewer,
  deps: PasswordLinkDeps & Pick<Deps, 'db' | 'bus'>,
): Promise<void> {
  if (isOwnAccount(userId, viewer)) throw forbidden(userMessages.ownAccount)
  await inTransaction(deps.db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (user === undefined) throw notFound('User')
    await deleteIdentities(trx, userId)
    await invalidatePasswordLinks(trx, userId)
    await sendPasswordLink(user, user.passwordHash === null ? 'invitation' : 'reset', trx, deps)
    await endUserSessions(user, 'reset by an administrator', trx, deps)
  })
}
