import * as endpoints from '@veridict/contract/api/company-tokens'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import type { FastifyInstance } from 'fastify'
import { mount, withMessage } from '#http/mount.ts'
import { presentCompanyToken } from '#presenters/company-token.ts'
import { createCompanyToken } from '#services/company-tokens/create-token.ts'
import { listCompanyTokens } from '#services/company-tokens/read-tokens.ts'
import { revokeCompanyToken } from '#services/company-tokens/revoke-token.ts'

export function mountCompanyTokens(app: FastifyInstance): void {
  mount(app, endpoints.listCompanyTokens, async ({ params, deps }) =>
    (await listCompanyTokens(params.id, deps)).map(presentCompanyToken),
  )

  mount(app, endpoints.createCompanyToken, async ({ params, body, deps }) => {
    const { row, token } = await createCompanyToken(params.id, body, deps)
    const { id, name, expiresAt } = presentCompanyToken(row)
    return withMessage({ id, name, expiresAt, token }, companyTokenMessages.created)
  })

  mount(app, endpoints.revokeCompanyToken, async ({ params, deps }) => {
    await revokeCompanyToken(params.id, params.tokenId, deps)
    return { message: companyTokenMessages.revoked }
  })
}
