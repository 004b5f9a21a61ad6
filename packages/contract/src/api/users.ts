import { z } from 'zod'
import { newUserForm, userForm } from '#forms/user.ts'
import { userMessages } from '#messages/users.ts'
import { endpoint, etag, idReply, messageReply, optionalEtag, pageOf, pagingQuery, id } from './endpoint.ts'

export const userItem = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  version: etag,
})
export type UserItem = z.infer<typeof userItem>

export const userDeletion = z.object({
  isSuperAdmin: z.boolean(),
  filesInProcess: z.int(),
  filesUploaded: z.int(),
})
export type UserDeletion = z.infer<typeof userDeletion>

export const listAdministrators = endpoint('GET /api/User', 'superAdmin', 'Administrators', {
  query: pagingQuery,
  reply: pageOf(userItem),
})

export const readUser = endpoint('GET /api/User/:id', 'superAdmin', 'One user', {
  reply: userItem.extend({ companyId: z.int().nullable(), isSuperAdmin: z.boolean() }),
})

export const createUser = endpoint(
  'POST /api/User',
  'superAdmin',
  'Create a company user or an administrator; sends the set-password e-mail',
  {
    body: newUserForm.extend({
      companyId: id.nullish().transform((value) => value ?? null),
      isSuperAdmin: z.boolean().default(false),
    }),
    reply: idReply,
    says: userMessages.created,
    status: 201,
  },
)

export const updateUser = endpoint(
  'PUT /api/User/:id',
  'superAdmin',
  'Change name, e-mail and phone of a user',
  { body: userForm.extend({ id: id.optional(), version: optionalEtag }), reply: idReply },
)

export const deleteUser = endpoint(
  'DELETE /api/User/:id',
  'superAdmin',
  'Delete a user; ends that user’s sessions',
  { reply: messageReply, says: userMessages.deleted },
)

export const previewUserDeletion = endpoint(
  'GET /api/User/:id/deletion',
  'superAdmin',
  'What stays of a user who is deleted, counted now',
  { reply: userDeletion },
)

export const resetUserPassword = endpoint(
  'POST /api/User/resetpassword',
  'superAdmin',
  'Send a user the e-mail to set a new password',
  { body: z.object({ userId: id }), reply: messageReply, says: userMessages.resetSent },
)
