import { companyTokenPrefix } from '@veridict/contract/api/company-tokens'
import type { CompanyTokenForm } from '@veridict/contract/forms/company-token'
import type { CompanyTokenRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { lockCompany } from '#companies/companies.ts'
import { insertCompanyToken } from '#companies/company-tokens.ts'
import { onlyAfter } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'

/** Creates a token of a company. Only this result has it: the database has its hash. Throws 404. */
export async function createCompanyToken(
  companyId: number,
  form: CompanyTokenForm,
  deps: Pick<Deps, 'db' | 'ids' | 'tokens' | 'caller'>,
): Promise<{ row: CompanyTokenRow; token: string }> {
  const { actor } = deps.caller
  const token = `${companyTokenPrefix}${deps.ids.secret()}`
  const tokenHash = deps.tokens.hashSecret(token)
  const row = await inTransaction(deps.db, async (trx) => {
    if (!(await lockCompany(trx, companyId))) throw notFound('Company')
    const creator = { creatorId: actor?.id ?? null, creatorEmail: actor?.email ?? null }
    const inserted = await insertCompanyToken(trx, { companyId, ...form, tokenHash, ...creator })
    const detail = onlyAfter({ expiresAt: inserted.expiresAt.toISOString(), scope: form.scope })
    await recordAudit({ action: 'token.created', subject: form.name, companyId, detail }, trx, deps)
    return inserted
  })
  return { row, token }
}
