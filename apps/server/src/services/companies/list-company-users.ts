import type { Paging } from '@veridict/contract/api/paging'
import type { Deps } from '#deps.ts'
import { countCompanyUsers, findCompanyUsers } from '#repositories/companies.ts'
import { readCompany } from '#services/companies/read-company.ts'

/**
 * A page of a company's users by name, and how many match in all. Throws 404 when there is no such company.
 */
export async function listCompanyUsers(companyId: number, paging: Paging, deps: Pick<Deps, 'db'>) {
  await readCompany(companyId, deps)
  const [users, totalCount] = await Promise.all([
    findCompanyUsers(deps.db, companyId, paging),
    countCompanyUsers(deps.db, companyId, paging.SearchText),
  ])
  return { users, totalCount }
}
