import { type CompanyTokenItem, companyTokenPrefix } from '@veridict/contract/api/company-tokens'
import type { CompanyTokenForm } from '@veridict/contract/forms/company-token'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import { lockCompany } from '#companies/companies.ts'
import { findCompanyTokens, insertCompanyToken, markTokenRevoked } from '#companies/company-tokens.ts'
import { readCompany } from '#companies/read-companies.ts'
import type { Deps } from '#deps.ts'
import { found } from '#errors.ts'
import type { CompanyTokenRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'

/** Creates a token of a company. Only this result has it: the database has its hash. Throws 404. */
export async function createCompanyToken(
  companyId: number,
  form: CompanyTokenForm,
  deps: Pick<Deps, 'db' | 'ids' | 'tokens' | 'caller'>,
): Promise<{ id: number; name: string; expiresAt: string; token: string }> {
  const { actor } = deps.caller
  const token = `${companyTokenPrefix}${deps.ids.secret()}`
  const tokenHash = deps.tokens.hashSecret(token)
  return inTransaction(deps.db, async (trx) => {
    await found(lockCompany(trx, companyId), 'Company')
    const creator = { creatorId: actor?.id ?? null, creatorEmail: actor?.email ?? null }
    const row = await insertCompanyToken(trx, { companyId, ...form, tokenHash, ...creator })
    const expiresAt = row.expiresAt.toISOString()
    const detail = onlyAfter({ expiresAt, scope: form.scope })
    await recordAudit({ action: 'token.created', subject: form.name, companyId, detail }, trx, deps)
    return { id: row.id, name: row.name, expiresAt, token }
  })
}

/** The tokens of a company that are not revoked, newest first. Throws 404 when there is no such company. */
export async function listCompanyTokens(
  companyId: number,
  deps: Pick<Deps, 'db'>,
): Promise<CompanyTokenItem[]> {
  await readCompany(companyId, deps)
  return (await findCompanyTokens(deps.db, companyId)).map(presentCompanyToken)
}

/**
 * Revokes a token: its next call is a 401, its present ones are cut. Throws 404 unless the company has it and
 * it was not revoked.
 */
export async function revokeCompanyToken(
  companyId: number,
  id: number,
  deps: Pick<Deps, 'db' | 'bus' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const token = await found(markTokenRevoked(trx, companyId, id), 'Token')
    await deps.bus.publishEnd({ tokenId: id }, trx)
    await recordAudit({ action: 'token.revoked', subject: token.name, companyId }, trx, deps)
  })
}

const presentCompanyToken = (token: CompanyTokenRow): CompanyTokenItem => ({
  id: token.id,
  name: token.name,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt.toISOString(),
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  scope: token.scope,
  createdBy: token.creatorEmail,
})
