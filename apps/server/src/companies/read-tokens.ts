import type { CompanyTokenRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { findCompanyTokens } from '#companies/company-tokens.ts'
import { readCompany } from '#companies/read-companies.ts'

/** The tokens of a company that are not revoked, newest first. Throws 404 when there is no such company. */
export async function listCompanyTokens(
  companyId: number,
  deps: Pick<Deps, 'db'>,
): Promise<CompanyTokenRow[]> {
  await readCompany(companyId, deps)
  return findCompanyTokens(deps.db, companyId)
}
