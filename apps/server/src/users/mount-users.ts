import type { ReplyOf, Page, Paging } from '@veridict/contract/api/endpoint'
import * as endpoints from '@veridict/contract/api/users'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import { userMessages } from '@veridict/contract/messages/users'
import { Role } from '@veridict/contract/model/role'
import type { FastifyInstance } from 'fastify'
import { mount, withMessage } from '#platform/http/mount.ts'
import { createUser, updateUser } from '#users/save-user.ts'
import { resetUserPassword } from '#users/send-password-link.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict, forbidden, found } from '#errors.ts'
import { isOwnAccount, type Viewer } from '#platform/access/viewer.ts'
import { isEmergencyAccount } from '#users/password-login.ts'
import { countUserFiles } from '#platform/database/deletion-counts.ts'
import { deleteIdentities } from '#users/identities.ts'
import { invalidatePasswordLinks } from '#users/password-links.ts'
import {
  countAdministrators,
  lockUser,
  markUserDeleted,
  lockAdministratorDeletion,
  findAdministrators,
  findUser,
} from '#users/users.ts'
import { onlyBefore, recordAudit, recordView } from '#audit/record-audit.ts'
import { endUserSessions } from '#users/end-user-sessions.ts'
import { tellAdministrators, type TellAdministratorsDeps } from '#users/tell-administrators.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { userEtag } from '#platform/etags.ts'
import { readPage } from '#platform/page.ts'

export function mountUsers(app: FastifyInstance): void {
  mount(app, endpoints.listAdministrators, ({ query, deps }) => listAdministrators(query, deps))

  mount(app, endpoints.readUser, ({ params, deps }) => viewUser(params.id, deps))

  mount(app, endpoints.createUser, async ({ body, deps }) => ({
    id: await createUser(body, deps),
  }))

  mount(app, endpoints.updateUser, async ({ params, body, viewer, deps }) => {
    const isInvited = await updateUser(params.id, body, viewer, deps)
    return withMessage({ id: params.id }, isInvited ? userMessages.savedAndInvited : userMessages.saved)
  })

  mount(app, endpoints.deleteUser, ({ params, viewer, deps }) => deleteUser(params.id, viewer, deps))

  mount(app, endpoints.previewUserDeletion, ({ params, deps }) => previewUserDeletion(params.id, deps))

  mount(app, endpoints.resetUserPassword, ({ body, viewer, deps }) =>
    resetUserPassword(body.userId, viewer, deps),
  )
}

/** What would stay of a user after `deleteUser`. 404 if there is no such user. */
async function previewUserDeletion(id: number, deps: Pick<Deps, 'db'>): Promise<endpoints.UserDeletion> {
  const { role } = await readUser(id, deps)
  return { isSuperAdmin: role === Role.SuperAdmin, ...(await countUserFiles(deps.db, id)) }
}

/**
 * Deletes a user softly and ends their sessions. 403 for the own account, 404, 409 for the last
 * administrator.
 */
export async function deleteUser(
  id: number,
  viewer: Viewer,
  deps: Pick<Deps, 'db' | 'bus' | 'env'> & TellAdministratorsDeps,
): Promise<void> {
  if (isOwnAccount(id, viewer)) throw forbidden(userMessages.ownAccount)
  await inTransaction(deps.db, async (trx) => {
    await lockAdministratorDeletion(trx)
    const user = await found(lockUser(trx, id), 'User')
    if (user.role === Role.SuperAdmin && (await countAdministrators(trx)) <= 1)
      throw conflict(userMessages.lastAdministrator)
    if (isEmergencyAccount(user.email, deps.env)) throw conflict(signOnMessages.keepsAdministrator)
    const deleted = await markUserDeleted(trx, id)
    await deleteIdentities(trx, id)
    await invalidatePasswordLinks(trx, id)
    const { email: subject, companyId, name, role } = user
    const detail = onlyBefore({ name, email: user.email, role })
    await recordAudit({ action: 'user.deleted', subject, companyId, detail }, trx, deps)
    await endUserSessions(user, 'the user was deleted', trx, deps)
    await tellAdministrators(user, deleted, trx, deps)
  })
}

type Needs = Pick<Deps, 'db' | 'caller'>

/** Throws 404 when there is no such user, or the user or the company was deleted. */
const readUser = (id: number, { db }: Pick<Deps, 'db'>): Promise<UserRow> => found(findUser(db, id), 'User')

/** Like `readUser`, as a call returns it; records that the caller looks at the user. */
async function viewUser(id: number, deps: Needs): Promise<ReplyOf<typeof endpoints.readUser>> {
  const user = await readUser(id, deps)
  const { email: subject, companyId, role } = user
  await recordView({ action: 'people.viewed', subject, companyId, key: `user ${id}` }, deps)
  return { ...presentUserItem(user), companyId, isSuperAdmin: role === Role.SuperAdmin }
}

async function listAdministrators(paging: Paging, deps: Needs): Promise<Page<endpoints.UserItem>> {
  const { db } = deps
  await recordView({ action: 'people.viewed', subject: 'Administrators', key: 'administrators' }, deps)
  const count = countAdministrators(db, paging.SearchText)
  return readPage(findAdministrators(db, paging), count, presentUserItem, paging)
}

const presentUserItem = (user: UserRow): endpoints.UserItem => ({
  id: user.id,
  name: user.name,
  email: user.email,
  phone: user.phone,
  version: userEtag(user),
})
