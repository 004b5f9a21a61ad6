import { z } from 'zod'
import { companyTokenForm } from '#forms/company-token.ts'
import { tokenScopes } from '#model/token-scope.ts'
import { companyTokenMessages } from '#messages/company-tokens.ts'
import { endpoint, messageReply, timestamp } from './endpoint.ts'

/** A token of a company begins with this prefix; an access token never does. */
export const companyTokenPrefix = 'vdt_'

export const companyTokenItem = z.object({
  id: z.int(),
  name: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  /** To the minute; null before the first use. */
  lastUsedAt: timestamp.nullable(),
  scope: z.enum(tokenScopes),
  /** The e-mail, at that time, of who made it; null for tokens made before this was recorded. */
  createdBy: z.string().nullable(),
})
export type CompanyTokenItem = z.infer<typeof companyTokenItem>

export const listCompanyTokens = endpoint(
  'GET /api/Company/:id/Token',
  'superAdmin',
  'Tokens of a company that are not revoked, newest first',
  { reply: z.array(companyTokenItem) },
)

export const createCompanyToken = endpoint(
  'POST /api/Company/:id/Token',
  'superAdmin',
  'Create a token with which a program uploads or reads for a company; only this reply has it',
  {
    body: companyTokenForm,
    reply: companyTokenItem.pick({ id: true, name: true, expiresAt: true }).extend({ token: z.string() }),
    says: companyTokenMessages.created,
    status: 201,
  },
)

export const revokeCompanyToken = endpoint(
  'DELETE /api/Company/:id/Token/:tokenId',
  'superAdmin',
  'Revoke a token of a company at once',
  { reply: messageReply, says: companyTokenMessages.revoked },
)
