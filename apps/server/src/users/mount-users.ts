import * as endpoints from '@veridict/contract/api/users'
import { userMessages } from '@veridict/contract/messages/users'
import type { FastifyInstance } from 'fastify'
import { mount, withMessage } from '#platform/http/mount.ts'
import { listAdministrators, viewUser } from '#users/read-users.ts'
import { createUser, updateUser } from '#users/save-user.ts'
import { deleteUser, previewUserDeletion } from '#users/delete-user.ts'
import { resetUserPassword } from '#users/send-password-link.ts'

export function mountUsers(app: FastifyInstance): void {
  mount(app, endpoints.listAdministrators, ({ query, deps }) => listAdministrators(query, deps))

  mount(app, endpoints.readUser, ({ params, deps }) => viewUser(params.id, deps))

  mount(app, endpoints.createUser, async ({ body, deps }) => {
    const id = await createUser(body, deps)
    return withMessage({ id }, userMessages.created)
  })

  mount(app, endpoints.updateUser, async ({ params, body, viewer, deps }) => {
    const isInvited = await updateUser(params.id, body, viewer, deps)
    return withMessage({ id: params.id }, isInvited ? userMessages.savedAndInvited : userMessages.saved)
  })

  mount(app, endpoints.deleteUser, async ({ params, viewer, deps }) => {
    await deleteUser(params.id, viewer, deps)
    return { message: userMessages.deleted }
  })

  mount(app, endpoints.previewUserDeletion, ({ params, deps }) => previewUserDeletion(params.id, deps))

  mount(app, endpoints.resetUserPassword, async ({ body, viewer, deps }) => {
    await resetUserPassword(body.userId, viewer, deps)
    return { message: userMessages.resetSent }
  })
}
