import * as endpoints from '@veridict/contract/api/company-tokens'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import { lockCompany, readCompany } from '#companies/companies.ts'
import { findCompanyTokens, insertCompanyToken, markTokenRevoked } from '#companies/company-tokens.ts'
import { found } from '#errors.ts'
import type { CompanyTokenRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { mountCalls } from '#platform/http/mount.ts'

export const mountCompanyTokens = mountCalls(endpoints, {
  /** Only this reply has the token: the database has its hash. */
  createCompanyToken({ params: { id: companyId }, body: form, deps }) {
    const { actor } = deps.caller
    const token = `${endpoints.companyTokenPrefix}${deps.ids.secret()}`
    const tokenHash = deps.tokens.hashSecret(token)
    return inTransaction(deps.db, async (trx) => {
      await lockCompany(trx, companyId)
      const creator = { creatorId: actor?.id ?? null, creatorEmail: actor?.email ?? null }
      const row = await insertCompanyToken(trx, { companyId, ...form, tokenHash, ...creator })
      const expiresAt = row.expiresAt.toISOString()
      const detail = onlyAfter({ expiresAt, scope: form.scope })
      await recordAudit({ action: 'token.created', subject: form.name, companyId, detail }, trx, deps)
      return { id: row.id, name: row.name, expiresAt, token }
    })
  },

  async listCompanyTokens({ params, deps: { db } }) {
    await readCompany(db, params.id)
    return (await findCompanyTokens(db, params.id)).map(presentCompanyToken)
  },

  /** The next call with the token is a 401, its present ones are cut. */
  revokeCompanyToken: ({ params: { id: companyId, tokenId }, deps }) =>
    inTransaction(deps.db, async (trx) => {
      const token = await found(markTokenRevoked(trx, companyId, tokenId), 'Token')
      await deps.bus.publishEnd({ tokenId }, trx)
      await recordAudit({ action: 'token.revoked', subject: token.name, companyId }, trx, deps)
    }),
})

const presentCompanyToken = (token: CompanyTokenRow): endpoints.CompanyTokenItem => ({
  id: token.id,
  name: token.name,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt.toISOString(),
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  scope: token.scope,
  createdBy: token.creatorEmail,
})
