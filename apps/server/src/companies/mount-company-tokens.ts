import * as endpoints from '@veridict/contract/api/company-tokens'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import type { FastifyInstance } from 'fastify'
import { mount, withMessage } from '#platform/http/mount.ts'
import { presentCompanyToken } from '#companies/present-company-token.ts'
import { createCompanyToken } from '#companies/create-token.ts'
import { listCompanyTokens } from '#companies/read-tokens.ts'
import { revokeCompanyToken } from '#companies/revoke-token.ts'

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
