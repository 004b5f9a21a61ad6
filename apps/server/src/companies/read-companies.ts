import type { Paging } from '@veridict/contract/api/paging'
import type { CompanyRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import {
  type CompanyDictionaryRow,
  countCompanies,
  countCompanyUsers,
  findCompanies,
  findCompany,
  findCompanyDictionaries,
  findCompanyUsers,
} from '#companies/companies.ts'

import { recordView } from '#audit/record-audit.ts'

type ReadDeps = Pick<Deps, 'db'>

/** A page of the companies by name, and the number of all that match. */
export async function listCompanies(paging: Paging, { db }: ReadDeps) {
  const [companies, totalCount] = await Promise.all([
    findCompanies(db, paging),
    countCompanies(db, paging.SearchText),
  ])
  return { companies, totalCount }
}

/** Throws 404 when there is no such company. */
export async function readCompany(id: number, { db }: ReadDeps): Promise<CompanyRow> {
  const company = await findCompany(db, id)
  if (!company) throw notFound('Company')
  return company
}

/** A page of a company's users by name, and the number of all that match. Throws 404. */
export async function listCompanyUsers(
  companyId: number,
  paging: Paging,
  deps: ReadDeps & Pick<Deps, 'caller'>,
) {
  const { name: subject } = await readCompany(companyId, deps)
  await recordView({ action: 'people.viewed', subject, companyId, key: `company ${companyId}` }, deps)
  const [users, totalCount] = await Promise.all([
    findCompanyUsers(deps.db, companyId, paging),
    countCompanyUsers(deps.db, companyId, paging.SearchText),
  ])
  return { users, totalCount }
}

/** The dictionaries of a company by name. Throws 404 when there is no such company. */
export async function listCompanyDictionaries(
  companyId: number,
  deps: ReadDeps,
): Promise<CompanyDictionaryRow[]> {
  await readCompany(companyId, deps)
  return findCompanyDictionaries(deps.db, companyId)
}
