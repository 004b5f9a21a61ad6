import type { UserForm } from '@veridict/contract/forms/user'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { userMessages } from '@veridict/contract/messages/users'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { invalid, notFound } from '#errors.ts'
import { isOwnAccount } from '#policies/may.ts'
import type { Viewer } from '#policies/viewer.ts'
import { changeUser, lockUser } from '#repositories/users.ts'
import { refuseStale, userEtag } from '#services/etags.ts'
import { refuseDuplicateEmail } from '#services/users/refuse-duplicate-email.ts'

/**
 * Changes name, e-mail address and phone; nothing else of a user can change. 400 for a change of the own
 * address or for the form of another user; 404; 409 for a duplicate address, or if the user was changed since
 * the ETag `version` was read.
 */
export async function updateUser(
  id: number,
  { id: formId, version: etag, ...form }: UserForm & { id?: number; version?: string | null },
  viewer: Viewer,
  deps: Pick<Deps, 'db'>,
): Promise<void> {
  if (formId !== undefined && formId !== id) throw invalid('id', noticeMessages.invalidId)
  await refuseDuplicateEmail(() =>
    inTransaction(deps.db, async (trx) => {
      const user = await lockUser(trx, id)
      if (user === undefined) throw notFound('User')
      refuseStale(etag, userEtag(user))
      if (isOwnAccount(id, viewer) && form.email !== user.email) throw invalid('email', userMessages.ownEmail)
      await changeUser(trx, id, form)
    }),
  )
}
