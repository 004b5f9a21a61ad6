import type * as endpoints from '@veridict/contract/api/companies'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { Page, Paging } from '@veridict/contract/api/paging'
import { recordView } from '#audit/record-audit.ts'
import {
  type CompanySummary,
  type CompanyUserRow,
  countCompanies,
  countCompanyUsers,
  findCompanies,
  findCompany,
  findCompanyDictionaries,
  findCompanyUsers,
} from '#companies/companies.ts'
import type { Deps } from '#deps.ts'
import { found } from '#errors.ts'
import type { CompanyRow } from '#platform/database/tables.ts'
import { companyEtag, userEtag } from '#platform/etags.ts'
import { readPage } from '#platform/page.ts'

type ReadDeps = Pick<Deps, 'db'>

export const listCompanies = (paging: Paging, { db }: ReadDeps): Promise<Page<endpoints.CompanyItem>> =>
  readPage(findCompanies(db, paging), countCompanies(db, paging.SearchText), presentCompanyItem, paging)

const presentCompanyItem = (company: CompanySummary): endpoints.CompanyItem => ({
  companyId: company.id,
  companyName: company.name,
  containerName: company.storageFolder,
  address: company.address,
  userCount: company.userCount,
  dataDictionaryCount: company.dictionaryCount,
  lastUpdated: company.updatedAt.toISOString(),
})

/** Throws 404 when there is no such company. */
export const readCompany = (id: number, { db }: ReadDeps): Promise<CompanyRow> =>
  found(findCompany(db, id), 'Company')

export const presentCompany = (company: CompanyRow): ReplyOf<typeof endpoints.readCompany> => ({
  companyName: company.name,
  address: company.address,
  containerName: company.storageFolder,
  version: companyEtag(company),
})

/** A page of a company's users by name. Throws 404. */
export async function listCompanyUsers(
  companyId: number,
  paging: Paging,
  deps: ReadDeps & Pick<Deps, 'caller'>,
): Promise<Page<endpoints.CompanyUserItem>> {
  const { name: subject } = await readCompany(companyId, deps)
  await recordView({ action: 'people.viewed', subject, companyId, key: `company ${companyId}` }, deps)
  const count = countCompanyUsers(deps.db, companyId, paging.SearchText)
  return readPage(findCompanyUsers(deps.db, companyId, paging), count, presentCompanyUser, paging)
}

/** The wire calls the name `userName`. */
const presentCompanyUser = (user: CompanyUserRow): endpoints.CompanyUserItem => ({
  id: user.id,
  userName: user.name,
  email: user.email,
  phone: user.phone,
  version: userEtag(user),
})

/** The dictionaries of a company by name. Throws 404 when there is no such company. */
export async function listCompanyDictionaries(
  companyId: number,
  deps: ReadDeps,
): Promise<endpoints.CompanyDictionaryItem[]> {
  await readCompany(companyId, deps)
  return findCompanyDictionaries(deps.db, companyId)
}
