import type { Deps } from '#deps.ts'
import { type CompanyDictionaryRow, findCompanyDictionaries } from '#repositories/companies.ts'
import { readCompany } from '#services/companies/read-company.ts'

/** The dictionaries associated with a company, by name. Throws 404 when there is no such company. */
export async function listCompanyDictionaries(
  companyId: number,
  deps: Pick<Deps, 'db'>,
): Promise<CompanyDictionaryRow[]> {
  await readCompany(companyId, deps)
  return findCompanyDictionaries(deps.db, companyId)
}
