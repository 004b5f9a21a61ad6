import type { Paging } from '@veridict/contract/api/paging'
import type { Deps } from '#deps.ts'
import { countCompanies, findCompanies } from '#repositories/companies.ts'

/** A page of the companies by name, and how many match in all. */
export async function listCompanies(paging: Paging, deps: Pick<Deps, 'db'>) {
  const [companies, totalCount] = await Promise.all([
    findCompanies(deps.db, paging),
    countCompanies(deps.db, paging.SearchText),
  ])
  return { companies, totalCount }
}
