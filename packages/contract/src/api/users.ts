import { z } from 'zod'
import { newUserForm, userForm } from '#forms/user.ts'
import { defineEndpoint } from './endpoint.ts'
import { etag, idParams, idReply, messageReply, optionalEtag } from './envelope.ts'
import { pageOf, pagingQuery } from './paging.ts'
import { id } from './whole-number.ts'

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

export const listAdministrators = defineEndpoint({
  method: 'GET',
  path: '/api/User',
  access: 'superAdmin',
  summary: 'Administrators',
  query: pagingQuery,
  reply: pageOf(userItem),
})

export const readUser = defineEndpoint({
  method: 'GET',
  path: '/api/User/:id',
  access: 'superAdmin',
  summary: 'One user',
  params: idParams,
  reply: userItem.extend({ companyId: z.int().nullable(), isSuperAdmin: z.boolean() }),
})

export const createUser = defineEndpoint({
  method: 'POST',
  path: '/api/User',
  access: 'superAdmin',
  summary: 'Create a company user or an administrator; sends the set-password e-mail',
  body: newUserForm.extend({
    companyId: id.nullish().transform((value) => value ?? null),
    isSuperAdmin: z.boolean().default(false),
  }),
  reply: idReply,
  status: 201,
})

export const updateUser = defineEndpoint({
  method: 'PUT',
  path: '/api/User/:id',
  access: 'superAdmin',
  summary: 'Change name, e-mail and phone of a user',
  params: idParams,
  body: userForm.extend({ id: id.optional(), version: optionalEtag }),
  reply: idReply,
})

export const deleteUser = defineEndpoint({
  method: 'DELETE',
  path: '/api/User/:id',
  access: 'superAdmin',
  summary: 'Delete a user; ends that user’s sessions',
  params: idParams,
  reply: messageReply,
})

export const previewUserDeletion = defineEndpoint({
  method: 'GET',
  path: '/api/User/:id/deletion',
  access: 'superAdmin',
  summary: 'What stays of a user who is deleted, counted now',
  params: idParams,
  reply: userDeletion,
})

export const resetUserPassword = defineEndpoint({
  method: 'POST',
  path: '/api/User/resetpassword',
  access: 'superAdmin',
  summary: 'Send a user the e-mail to set a new password',
  body: z.object({ userId: id }),
  reply: messageReply,
})
